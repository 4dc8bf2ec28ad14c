import type { Client } from 'graphql-ws';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { Notices } from '../../src/access/notice/index.js';
import { UserService } from '../../src/access/user/index.js';
import { Database } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { untilListening } from '../support/event-probe.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, socketClient, Subscribed, type CredentialHeaders } from '../support/graphql.js';
import { mailsAreSent, mailsTo, mailTo } from '../support/mailbox.js';
import { newOAuthApp, type Tokens } from '../support/oauth-app.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let app: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
});
afterAll(() => app.close());

async function signedIn({ email }: Person, browser = new BrowserSession(app.url)): Promise<BrowserSession> {
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email, password: PASSWORD });
  return browser;
}
/** The headings and sentences of the page, from the newest. */
const sentences = ({ text }: Visit): string[] =>
  [...(/<ul class="rows">([^]*?)<\/ul>/.exec(text)?.[1] ?? '').matchAll(/<p>([^<]*)<\/p>/g)].map(([, sentence = '']) => sentence);
const activity = async (browser: BrowserSession): Promise<string[]> => sentences(await browser.get('/dashboard/activity'));
const subjectsTo = async ({ email }: Person): Promise<string[]> => {
  await mailsAreSent(app);
  return (await mailsTo(app, email)).map(({ subject }) => subject);
};
const add = (person: Person, key?: string): Promise<void> =>
  app.get(Database).transaction((tx) =>
    app.get(Notices).add(tx, {
      userId: person.userId,
      kind: 'app_connected',
      details: { name: 'A <b>\nshop', clientId: 'shop' },
      ...(key !== undefined && { key }),
    }),
  );

describe('a sign-in', () => {
  it('is noticed and mailed from a new browser, but not the first one, and not from a browser that is known', async () => {
    const person = await fixture.user();
    const first = await signedIn(person);
    expect(await activity(first)).toEqual([]);
    const second = await signedIn(person, new BrowserSession(app.url, { 'user-agent': FIREFOX }));
    expect(await activity(first)).toEqual([expect.stringContaining('A new browser signed in to your account (Firefox on Linux, address ')]);
    await fixture.endSessions(person);
    await signedIn(person, second);
    expect(await activity(second)).toHaveLength(1);
    expect(await subjectsTo(person)).toEqual(['Sign-in from a new browser']);
    const { text, html } = await mailTo(app, person.email, 'Sign-in from a new browser');
    expect(text).toContain(`Reset your password:\n${app.sluice.config.publicUrl}/forgot-password`);
    expect((await first.get('/demo/mail')).text).toContain(html);
  });
});

describe('an app', () => {
  it('is noticed when it is connected, once while it stays so, and when its token is used twice', async () => {
    const person = await fixture.user();
    const shop = await newOAuthApp(app);
    const browser = await signedIn(person);
    const { refresh_token: token = '' } = await shop.connect(person, { scope: 'read offline' }, browser);
    await shop.connect(person, { scope: 'read offline', prompt: 'consent' }, browser);
    expect(await activity(browser)).toEqual(['You connected the app “Corner Coffee”. If you don’t know it, disconnect it.']);
    await shop.refresh(token);
    await app.pool.query(`UPDATE oauth_refresh_token SET replay_until = now() - interval '1 second' WHERE used_at IS NOT NULL`);
    expect((await shop.refresh(token)).status).toBe(400);
    expect((await shop.refresh(token)).status).toBe(400);
    expect(await activity(browser)).toEqual([
      expect.stringContaining('A token of the app “Corner Coffee” was used twice'),
      expect.stringContaining('You connected the app'),
    ]);
    expect((await subjectsTo(person)).toSorted()).toEqual(['A new app was connected', 'An app was disconnected for safety']);
  });
});

describe('a new password', () => {
  it('is noticed and always mailed', async () => {
    const person = await fixture.user();
    await app.get(UserService).changePassword(person.userId, `${PASSWORD} 2`);
    expect(await subjectsTo(person)).toEqual(['Your password was changed']);
  });
});

describe('API keys', () => {
  it('are noticed 30, 7 and 1 days before they expire, each once, unless they never live for so long', async () => {
    const person = await fixture.user();
    const keys = app.get(ApiKeyService);
    const browser = await signedIn(person);
    await keys.create({ userId: person.userId, name: 'year', scopes: ['read'], expireInDays: 365 });
    await keys.create({ userId: person.userId, name: 'week', scopes: ['read'], expireInDays: 7 });
    const left = async (days: number): Promise<string[]> => {
      await app.pool.query(
        `UPDATE api_key SET created_at = created_at - (expires_at - now() - make_interval(days => $2)), expires_at = now() + make_interval(days => $2), last_used_at = now()
          WHERE name = 'year' AND user_id = $1`,
        [person.userId, days],
      );
      await keys.announce();
      await keys.announce();
      return activity(browser);
    };
    expect(await left(31)).toEqual([]);
    const said = (days: string): unknown => expect.stringContaining(`Your API key “year” expires within ${days}.`);
    expect(await left(29)).toEqual([said('30 days')]);
    expect(await left(6)).toEqual([said('7 days'), said('30 days')]);
    expect(await left(1)).toEqual([said('1 day'), said('7 days'), said('30 days')]);
    expect(await left(0)).toHaveLength(3);
  });

  it('are noticed when they were not used for 90 days, with a link that revokes them', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    await app.pool.query(`UPDATE api_key SET created_at = created_at - interval '91 days' WHERE user_id = $1 AND name = 'read'`, [
      person.userId,
    ]);
    await app.get(ApiKeyService).announce();
    await app.get(ApiKeyService).announce();
    expect(await activity(browser)).toEqual([expect.stringContaining('Your API key “read” was not used for 90 days')]);
    const [, link = ''] = /<a href="([^"]*)">Revoke this key</.exec((await browser.get('/dashboard/activity')).text) ?? [];
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    expect((await browser.post(link, hiddenFields(page))).status).toBe(303);
    expect(await app.get(ApiKeyService).listInUse(person.userId)).toHaveLength(3);
  });
});

describe('payments', () => {
  const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status } }';
  const LIMIT = 'mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { id } } }';
  let person: Person;
  let browser: BrowserSession;
  beforeEach(async () => {
    person = await fixture.user({ sats: 10_000 });
    browser = await signedIn(person);
  });
  afterEach(() => fixture.expectBalanced());

  /** Waits until what the payment causes is there. */
  const pay = async (by: CredentialHeaders, amount: number): Promise<void> => {
    const recipientWalletId = (await fixture.user()).wallets.BTC;
    const sent = await dataOf(app.url, SEND, { input: { walletId: person.wallets.BTC, recipientWalletId, amount } }, by);
    expect(sent).toEqual({ intraLedgerPaymentSend: { status: 'SUCCESS' } });
    await eventually(async () => {
      const { rowCount } = await app.pool.query(
        `SELECT FROM event_consumer c WHERE name = 'payment_notice' AND position = (SELECT max(position) FROM event_position)`,
      );
      return rowCount === 1;
    });
  };

  const BUDGET = '{ currency window limit spent left freeAt }';
  const DAY = { currency: 'SAT', window: 'DAILY', limit: 1_000 };
  const UPDATES = `subscription { myUpdates { update { ... on BudgetUpdate { percent budget ${BUDGET} } } } }`;
  type Told = { readonly myUpdates: { readonly update: object } };
  const sockets: Client[] = [];
  const isBudget = ({ myUpdates: { update } }: Told): boolean => 'budget' in update;
  /** Skips the payments themselves. */
  const nextOf = async (subscribed: Subscribed<Told>): Promise<object> => {
    const event = await subscribed.next();
    return isBudget(event) ? event.myUpdates.update : nextOf(subscribed);
  };
  const follow = async (by: CredentialHeaders, budgetId: string): Promise<Subscribed<Told>> => {
    const client = socketClient(app.url, by);
    sockets.push(client);
    const subscribed: Subscribed<Told>[] = [];
    await untilListening(app, 'budget.used', budgetId, () => void subscribed.push(new Subscribed<Told>(client, UPDATES)));
    return subscribed[0] as Subscribed<Told>;
  };
  const keyId = async (name: string): Promise<string> =>
    (await app.get(ApiKeyService).listInUse(person.userId)).find((key) => key.name === name)?.id ?? '';

  it('are noticed where they are the first of an app, and no other', async () => {
    const shop = await newOAuthApp(app);
    const { access_token: token } = await shop.connect(person, { scope: 'read write' }, browser);
    await pay(person.as('write'), 1);
    expect(await activity(browser)).toHaveLength(1);
    for (const amount of [2, 3]) await pay({ 'oauth2-token': token }, amount);
    expect(await activity(browser)).toEqual([
      'The app “Corner Coffee” paid from your wallet for the first time. If you did not expect it, disconnect it.',
      expect.stringContaining('You connected the app'),
    ]);
    // A notice ends after a year: the next payment is the first one no more.
    await app.pool.query('DELETE FROM notice WHERE user_id = $1', [person.userId]);
    await pay({ 'oauth2-token': token }, 4);
    expect(await activity(browser)).toEqual([]);
    expect(await subjectsTo(person)).toContain('First payment of an app');
  });

  it('are noticed at 80 and 100 % of a limit of a key, once in its time, by what was really spent', async () => {
    const session = await fixture.session(person);
    const { apiKeyCreate: made } = await dataOf(
      app.url,
      'mutation { apiKeyCreate(input: { name: "till", scopes: [READ, WRITE] }) { apiKeySecret apiKey { id } } }',
      {},
      session,
    );
    const [key, id] = [{ 'x-api-key': made.apiKeySecret as string }, made.apiKey.id as string];
    await dataOf(app.url, LIMIT, { input: { id, limitSats: 1_000, limitTimeWindow: 'DAILY' } }, session);
    const said = (how: string): string => `Your API key “till” has spent ${how} of its limit for 24 hours.`;
    await pay(key, 799);
    // Of yesterday: what the limit has counted is not read again before it is exceeded.
    await app.pool.query(`UPDATE payment SET created_at = created_at - interval '25 hours' WHERE principal_id = $1`, [id]);
    await pay(key, 200);
    expect(await activity(browser)).toEqual([]);
    await pay(key, 600);
    expect(await activity(browser)).toEqual([said('80 %')]);
    await pay(key, 100);
    expect(await activity(browser)).toHaveLength(1);
    await pay(key, 100);
    expect(await activity(browser)).toEqual([said('all'), said('80 %')]);
    expect((await browser.get('/dashboard/activity')).text).toContain(`href="/dashboard/keys/${id}"`);
    // The next day.
    await app.pool.query(`UPDATE payment SET created_at = created_at - interval '25 hours' WHERE principal_id = $1`, [id]);
    await app.pool.query(`UPDATE notice SET at = at - interval '25 hours' WHERE user_id = $1`, [person.userId]);
    await pay(key, 1_000);
    expect(await activity(browser)).toEqual([said('all'), said('all'), said('80 %')]);
    expect(await subjectsTo(person)).toHaveLength(3);
  });

  it('of an app count for its limit too', async () => {
    const shop = await newOAuthApp(app);
    const asked = await browser.get(shop.authorizeUrl({ scope: 'read write' }));
    const form = await shop.consentPage(person, asked, browser);
    const { location } = await browser.submit(form, { decision: 'allow', scope: ['read', 'write'], limit: '1000', window: 'daily' });
    const { body } = await shop.exchange(new URL(location).searchParams.get('code') ?? '');
    const token = { 'oauth2-token': (body as Tokens).access_token };
    const [mine, others] = [
      await follow(token, `${shop.client.id}:${person.userId}`),
      await follow(person.as('read'), await keyId('read')),
    ];
    await pay(token, 900);
    expect(await activity(browser)).toContain('Your app “Corner Coffee” has spent 80 % of its limit for 24 hours.');
    const told = (percent: number, spent: number, freeAt: unknown): object => ({
      percent,
      budget: { ...DAY, spent, left: 1_000 - spent, freeAt },
    });
    expect(await nextOf(mine)).toEqual(told(80, 900, null));
    await app.pool.query(`UPDATE payment SET created_at = created_at - interval '10 hours' WHERE client_id = $1`, [shop.client.id]);
    await pay(token, 40);
    await pay(token, 60);
    // Free again when the first payment has left the window: without it, there is something.
    const { rows } = await app.pool.query<{ at: Date }>(
      `SELECT min(created_at) + interval '24 hours' AS at FROM payment WHERE client_id = $1`,
      [shop.client.id],
    );
    const freeAt = Math.floor((rows[0]?.at.getTime() ?? 0) / 1_000);
    expect(await nextOf(mine)).toEqual(told(100, 1_000, freeAt));
    expect((await dataOf(app.url, `{ authorization { budget ${BUDGET} } }`, {}, token)).authorization.budget).toEqual([
      { ...DAY, spent: 1_000, left: 0, freeAt },
    ]);
    expect(others.events.filter(isBudget)).toEqual([]);
    await Promise.all(sockets.map(async (socket) => socket.dispose()));
  });
});

describe('notices', () => {
  it('about keys are added once a day, and not whenever a process starts', async () => {
    const { rows } = await app.pool.query(
      `SELECT to_char(run_at AT TIME ZONE 'UTC', 'HH24:MI') AS at, attempts FROM job WHERE task = 'api_key_notices'`,
    );
    expect(rows).toEqual([{ at: '06:23', attempts: 0 }]);
  });

  it('are at most 20 of a day, the rest counted in one, but an attack cannot hide a new password so', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    for (let i = 0; i < 23; i++) await add(person);
    await app.pool.query('UPDATE app_user SET password_hash = password_hash || $2 WHERE id = $1', [person.userId, '!']);
    const list = await activity(browser);
    expect(list).toHaveLength(22);
    expect(list[0]).toContain('Your password was changed');
    expect(list[1]).toBe('3 more events of that day are not listed.');
    expect(list[2]).toBe('You connected the app “A &lt;b&gt; shop”. If you don’t know it, disconnect it.');
    expect(await subjectsTo(person)).toHaveLength(21);
    // Another day has its own 20.
    await app.pool.query(`UPDATE notice SET at = at - interval '1 day', key = NULL WHERE user_id = $1`, [person.userId]);
    await add(person);
    expect(await activity(browser)).toHaveLength(23);
  });

  it('are mailed 20 times of a kind in a day, or an attack could fill the mailbox of a stranger', async () => {
    const person = await fixture.user();
    const change = `UPDATE app_user SET password_hash = password_hash || '!' WHERE id = $1`;
    for (let i = 0; i < 22; i++) await app.pool.query(change, [person.userId]);
    expect(await subjectsTo(person)).toHaveLength(20);
  });

  it('are paged from the newest, are added once for a key, and of another person are not shown', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const browser = await signedIn(person);
    await add(other);
    for (const index of Array.from({ length: 28 }).keys()) {
      await add(person, `key ${index}`);
      await app.pool.query(
        `UPDATE notice SET at = at - interval '1 day', details = details || '{"name": "n${index}"}' WHERE user_id = $1 AND key = $2`,
        [person.userId, `key ${index}`],
      );
    }
    await add(person, 'key 3');
    const page = await browser.get('/dashboard/activity');
    expect(sentences(page)).toHaveLength(25);
    expect(sentences(page)[0]).toContain('n27');
    const [, older = ''] = /href="([^"]*)">Older</.exec(page.text) ?? [];
    expect(sentences(await browser.get(older)).join()).toMatch(/n2.*n1.*n0/);
    // The id of another person's notice is no place in the list.
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM notice WHERE user_id = $1', [other.userId]);
    expect(sentences(await browser.get(`/dashboard/activity?before=${rows[0]?.id}`))).toEqual([]);
    expect((await browser.get('/dashboard/activity?before=x%00&before=y')).status).toBeLessThan(500);
  });

  it('are mailed as the person chooses, but for those of the sign-in', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    const page = await browser.get('/dashboard/activity');
    expect(page.text).toMatch(/value="app_connected" checked/);
    const fields = { csrf: /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '' };
    expect((await browser.post('/dashboard/activity', { ...fields, mail: ['key_expires', 'sign_in', 'nothing'] })).status).toBe(303);
    expect((await browser.get('/dashboard/activity')).text).not.toMatch(/value="app_connected" checked/);
    await add(person);
    await signedIn(person);
    expect(await activity(browser)).toHaveLength(2);
    expect(await subjectsTo(person)).toEqual(['Sign-in from a new browser']);
    expect((await browser.post('/dashboard/activity', { mail: [] })).status).toBe(403);
  });

  it('end after a year', async () => {
    const person = await fixture.user();
    await add(person, 'old');
    await add(person, 'young');
    await mailsAreSent(app); // a row that is being mailed is not deleted
    await app.pool.query(`UPDATE notice SET at = at - interval '366 days' WHERE user_id = $1 AND key = 'old'`, [person.userId]);
    await app.get(Notices).purge(new AbortController().signal);
    const { rows } = await app.pool.query('SELECT key FROM notice WHERE user_id = $1', [person.userId]);
    expect(rows).toEqual([{ key: 'young' }]);
  });
});
