import { setTimeout } from 'node:timers/promises';
import { AppService } from '../../src/access/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { boxesOf, newOAuthApp, type OAuthApp, type RegisteredApp, type Tokens } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';
import { hiddenFields, BrowserSession, type Fields, type Visit } from '../support/browser-session.js';

let server: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  server = await createTestApp();
  fixture = new Fixture(server);
  alice = await fixture.user();
});
afterAll(() => server.close());

const answered = (visit: Visit): Record<string, string> => Object.fromEntries(new URL(visit.location).searchParams);
const plain = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
/** The path of the page that a request leads to, or the result that it returns to the app. */
const leadsTo = (visit: Visit): string =>
  visit.location.startsWith(server.url) ? new URL(visit.location).pathname : (answered(visit)['error'] ?? 'code');

/** An app to which alice has granted everything that it asked for, and her browser. */
async function remembered(scope: string, wanted: Partial<RegisteredApp> = {}): Promise<{ app: OAuthApp; browser: BrowserSession }> {
  const [app, browser] = [await newOAuthApp(server, wanted), new BrowserSession(server.url)];
  await app.code(alice, { scope }, browser);
  return { app, browser };
}

describe('a prior consent', () => {
  it('covers the same scopes, or fewer', async () => {
    const { app, browser } = await remembered('openid read write offline');
    const again = await browser.get(app.authorizeUrl({ scope: 'openid read write offline' }));
    expect(answered(again)).toMatchObject({
      scope: 'openid read write offline',
      code: expect.any(String),
      state: 'a-state-of-mine',
      iss: server.url,
    });
    expect((await app.exchange(answered(again)['code'] ?? '')).status).toBe(200);
    for (const scope of ['read', 'write', 'openid', 'read offline_access'])
      expect(leadsTo(await browser.get(app.authorizeUrl({ scope })))).toBe('code');
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read', prompt: 'none' })))).toBe('code');
  });

  it('covers no further scope, no other app and no other person', async () => {
    const { app, browser } = await remembered('read');
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read receive' })))).toBe('/consent');
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read receive', prompt: 'none' })))).toBe('consent_required');
    expect(leadsTo(await browser.get((await newOAuthApp(server)).authorizeUrl()))).toBe('/consent');
    const [bob, bobs] = [await fixture.user(), new BrowserSession(server.url)];
    expect(boxesOf(await app.consentPage(bob, await bobs.get(app.authorizeUrl({ scope: 'read write' })), bobs))).toEqual(['read', 'write']);
  });

  it('does not cover scopes that were left out', async () => {
    const [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'read write' })), browser);
    await browser.submit(asked, { decision: 'allow', scope: 'read' });
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read write' })))).toBe('/consent');
  });

  it('is ignored with prompt=consent', async () => {
    const { app, browser } = await remembered('read');
    expect(leadsTo(await browser.get(app.authorizeUrl({ prompt: 'consent' })))).toBe('/consent');
    expect(leadsTo(await browser.get(app.authorizeUrl({ prompt: 'login' })))).toBe('/login');
    expect(leadsTo(await browser.get(app.authorizeUrl({ max_age: '0' })))).toBe('/login');
    expect(leadsTo(await browser.get(app.authorizeUrl({ max_age: '10000' })))).toBe('code');
  });

  it('is ignored for a public client, which cannot be authenticated', async () => {
    const { app, browser } = await remembered('read', { confidential: false, redirectUris: ['com.example.app:/cb'] });
    expect(leadsTo(await browser.get(app.authorizeUrl()))).toBe('/consent');
    expect(leadsTo(await browser.get(app.authorizeUrl({ prompt: 'none' })))).toBe('consent_required');
  });

  it('adds a grant to at most 499 others: those that were never used end first, then the oldest', async () => {
    const { app, browser } = await remembered('read offline');
    const [asked, live] = [app.authorizeUrl({ scope: 'read offline' }), 'FROM oauth_grant WHERE client_id = $1 AND revoked_at IS NULL'];
    const { refresh_token: used = '' } = await app.connect(alice, { scope: 'read offline' }, browser);
    await server.pool.query(
      'UPDATE oauth_grant SET last_used_at = now(), created_at = $2 WHERE id = (SELECT id FROM oauth_grant WHERE client_id = $1 ORDER BY created_at DESC LIMIT 1)',
      [app.client.id, new Date(0)],
    );
    await server.pool.query(
      `INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, absolute_expires_at)
         SELECT gen_random_uuid(), g.user_id, g.client_id, g.scopes, g.session_id, g.auth_time, g.absolute_expires_at
           FROM (SELECT * ${live} LIMIT 1) AS g, generate_series(1, 600)`,
      [app.client.id],
    );
    const codes = await Promise.all([1, 2, 3].map(() => browser.get(asked)));
    expect(codes.map(leadsTo)).toEqual(['code', 'code', 'code']);
    await browser.get(asked);
    const [{ n } = { n: 0 }] = (await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n ${live}`, [app.client.id])).rows;
    expect(n).toBe(500);
    expect((await app.token({ grant_type: 'refresh_token', refresh_token: used }, { authorization: app.basic })).status).toBe(200);
  });

  it('to send money expires after a month; a request for less does not extend it', async () => {
    const { app, browser } = await remembered('read write');
    const age = (days: number): Promise<unknown> =>
      server.pool.query(`UPDATE oauth_grant SET write_asked_at = write_asked_at - make_interval(days => $2) WHERE client_id = $1`, [
        app.client.id,
        days,
      ]);
    await age(29);
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read write' })))).toBe('code');
    await age(2);
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read write' })))).toBe('/consent');
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read' })))).toBe('code');
  });
});

describe('signing in for an authorization request', () => {
  it('is skipped with a session', async () => {
    const { browser } = await remembered('read');
    // Browsers send no Lax cookies with a post from another site; they send them when they then follow the redirect to our page.
    const posting = new BrowserSession(server.url);
    const begun = await posting.post(
      '/oauth2/auth',
      Object.fromEntries(new URL((await newOAuthApp(server)).authorizeUrl(), server.url).searchParams),
      {},
    );
    for (const [name, value] of posting.cookies) browser.cookies.set(name, value);
    expect(begun.location).toMatch(/\/login\?login_challenge=/);
    expect((await browser.get(begun.location)).location).toMatch(/\/consent\?consent_challenge=/);
  });

  it('fills in the user of login_hint', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const { id_token: idToken = '' } = await app.connect(alice, { scope: 'openid read' }, browser);
    expect(leadsTo(await browser.get(app.authorizeUrl({ id_token_hint: idToken, prompt: 'none' })))).toBe('code');
    const [bob, bobs] = [await fixture.user(), new BrowserSession(server.url)];
    await app.code(bob, {}, bobs);
    expect(leadsTo(await bobs.get(app.authorizeUrl({ id_token_hint: idToken })))).toBe('login_required');
  });

  it('does not let another user answer a request that was shown to one', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'read write' })), browser);
    // In another tab another user signs in; the page of the first still says "alice".
    const bob = await fixture.user();
    await browser.submit(await browser.get('/login?switch=1'), { email: bob.email, password: PASSWORD });
    const answer = await browser.submit(asked, { decision: 'allow', scope: 'write' });
    expect(answer.location).not.toContain('code=');
    const { rows } = await server.pool.query('SELECT 1 FROM oauth_grant WHERE client_id = $1', [app.client.id]);
    expect(rows).toEqual([]);
  });
});

describe('an authorization request', () => {
  it('is answered once', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl()), browser);
    const answers = await Promise.all([1, 2, 3].map(() => browser.submit(asked, { decision: 'allow' })));
    expect(answers.filter(({ location }) => location.includes('code='))).toHaveLength(1);
    const late = await browser.submit(asked, { decision: 'allow' });
    expect(late.location).toBe('');
    expect(late.text).toContain('data-testid="error-allowed"');
    expect(late.text).toContain('https://app.example.test/');
  });

  it('grants nothing for a sign-in that a new password ends meanwhile, on the consent page and without it', async () => {
    const [app, carol, browser] = [await newOAuthApp(server), await fixture.user(), new BrowserSession(server.url)];
    const asked = await app.consentPage(carol, await browser.get(app.authorizeUrl({ scope: 'read' })), browser);
    await app.code(carol, { scope: 'read' }, browser);
    const changing = await server.pool.connect();
    await changing.query('BEGIN');
    await changing.query(`UPDATE app_user SET password_hash = password_hash || '-' WHERE id = $1`, [carol.userId]);
    await changing.query('UPDATE session SET ended_at = now() WHERE user_id = $1', [carol.userId]);
    const late = Promise.all([browser.submit(asked, { decision: 'allow' }), browser.get(app.authorizeUrl({ scope: 'read' }))]);
    await Promise.race([late, setTimeout(400)]);
    await changing.query('COMMIT');
    changing.release();
    expect((await late).map(leadsTo)).toEqual(['/login', 'login_required']);
    const { rows } = await server.pool.query('SELECT FROM oauth_grant WHERE user_id = $1 AND revoked_at IS NULL', [carol.userId]);
    expect(rows).toEqual([]);
  });

  describe('that is opened again', () => {
    const NOTHING = 'othing was shared and no money was moved';

    /** Both pages of a request that has this answer, as the button "Back" shows them in the same browser. */
    async function answeredBy(choice: Fields): Promise<{ browser: BrowserSession; pages: Visit[]; open: () => Promise<Visit[]> }> {
      const [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
      const begun = await browser.get(app.authorizeUrl({ scope: 'read write' }));
      const asked = await app.consentPage(alice, begun, browser);
      await browser.submit(asked, choice);
      const open = async (): Promise<Visit[]> => [await browser.get(asked.url), await browser.get(begun.location)];
      return { browser, pages: [...(await open()), await browser.submit(asked, { decision: 'allow', scope: 'read' })], open };
    }

    it('shows that it was allowed, and where to disconnect the app', async () => {
      for (const { text } of (await answeredBy({ decision: 'allow', scope: 'read' })).pages) {
        expect(text).toContain('data-testid="error-allowed"');
        expect(text).toContain('<a href="/dashboard/apps">Connected apps</a>');
        expect(text).not.toContain(NOTHING);
      }
    });

    it('shows that nothing was shared when it was denied', async () => {
      for (const { text } of (await answeredBy({ decision: 'deny' })).pages) {
        expect(text).toContain('data-testid="error-denied"');
        expect(text).toContain(NOTHING);
        expect(text).not.toContain('is still connected');
      }
    });

    it('shows that an app that was connected before stays connected when it was denied', async () => {
      const { app, browser } = await remembered('read');
      const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'read write' })), browser);
      await browser.submit(asked, { decision: 'deny' });
      const { text } = await browser.get(asked.url);
      expect(text).toContain('data-testid="error-denied"');
      expect(plain(text)).toContain('Corner Coffee is still connected. It keeps the access that you gave it before');
      await browser.post(
        `/dashboard/apps/${app.client.id}/disconnect`,
        hiddenFields(await browser.get(`/dashboard/apps/${app.client.id}/disconnect`)),
      );
      expect((await browser.get(asked.url)).text).not.toContain('is still connected');
    });

    it('shows no other user how it was answered', async () => {
      const bob = await fixture.user();
      const choices: readonly Fields[] = [{ decision: 'allow', scope: 'read' }, { decision: 'deny' }];
      for (const choice of choices) {
        const { browser, open } = await answeredBy(choice);
        await browser.submit(await browser.get('/login?switch=1'), { email: bob.email, password: PASSWORD });
        for (const { text } of await open()) {
          expect(text).toContain('data-testid="error-ended"');
          expect(text).not.toContain(NOTHING);
        }
      }
    });

    it('shows nothing for an unknown request', async () => {
      const { text } = await new BrowserSession(server.url).get(`/consent?consent_challenge=${'x'.repeat(43)}`);
      expect(text).toContain('data-testid="error-ended"');
      expect(text).not.toContain(NOTHING);
    });
  });

  it('expires after half an hour, and shows where to begin again', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl()), browser);
    await server.pool.query(`UPDATE oauth_interaction SET expires_at = expires_at - interval '1801 seconds' WHERE client_id = $1`, [
      app.client.id,
    ]);
    for (const visit of [await browser.get(asked.url), await browser.submit(asked, { decision: 'allow' })]) {
      expect(visit.text).toContain('data-testid="error-expired"');
      expect(visit.text).toContain('https://app.example.test/');
    }
  });

  it('ends when its client is suspended meanwhile', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl()), browser);
    await server.pool.query(`UPDATE oauth_client SET state = 'suspended' WHERE id = $1`, [app.client.id]);
    const answer = await browser.submit(asked, { decision: 'allow' });
    expect([answer.status, answer.location]).toEqual([400, '']);
  });

  describe('of an app that is connected', () => {
    it('states what the app has, which a narrower choice leaves, and where to end it', async () => {
      const { app, browser } = await remembered('openid read write');
      const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'read write', prompt: 'consent' })), browser);
      expect(plain(asked.text)).toContain('Corner Coffee is connected and asks again');
      expect(plain(asked.text)).toMatch(
        /It already has Read Send What it has stays, whatever you choose here, until you disconnect it ?\./,
      );
      expect(asked.text).toContain(`<a href="/dashboard/apps/${app.client.id}/disconnect">disconnect it</a>`);
      await browser.submit(asked, { decision: 'allow', scope: 'read' });
      expect(plain((await browser.get(`/dashboard/apps/${app.client.id}`)).text)).toContain('Read Send');
    });

    it('does not say so to another person, or once it is disconnected', async () => {
      const { app, browser } = await remembered('read');
      const [bob, bobs] = [await fixture.user(), new BrowserSession(server.url)];
      const his = await app.consentPage(bob, await bobs.get(app.authorizeUrl()), bobs);
      await browser.post(
        `/dashboard/apps/${app.client.id}/disconnect`,
        hiddenFields(await browser.get(`/dashboard/apps/${app.client.id}/disconnect`)),
      );
      for (const { text } of [his, await app.consentPage(alice, await browser.get(app.authorizeUrl()), browser)]) {
        expect(text).toContain('Connect <bdi>Corner Coffee</bdi> to your wallet?');
        expect(text).not.toContain('already has');
      }
    });
  });

  it('that is allowed with no box ticked grants and denies nothing, keeps what was entered, and asks for a permission', async () => {
    const [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'openid read write' })), browser);
    const again = await browser.submit(asked, { decision: 'allow', limit: '5,000', window: 'weekly' });
    expect([again.status, again.location]).toEqual([422, '']);
    expect(again.text).toMatch(/<title>Error: /);
    expect(again.text).toContain('<a href="#permissions">Choose at least one permission, or deny.</a>');
    expect(again.text).toContain('<fieldset aria-describedby="permissions-error">');
    expect(again.text).toContain('id="permissions-error">Choose at least one permission, or deny.</p>');
    expect(again.text).not.toMatch(/name="scope" value="\w+" checked/);
    expect(again.text).toMatch(/id="limit"[^>]*value="5,000"/);
    const both = await browser.submit(again, { decision: 'allow', limit: 'all', window: 'weekly' });
    expect(both.text).toContain('Please fix 2 things');
    const answer = await browser.submit(both, { decision: 'allow', scope: 'read', limit: '5,000', window: 'weekly' });
    expect(answered(answer)).toMatchObject({ scope: 'openid read', code: expect.any(String) });
  });

  it('stays open after an answer without a decision', async () => {
    const app = await newOAuthApp(server);
    const browser = new BrowserSession(server.url);
    const asked = await app.consentPage(alice, await browser.get(app.authorizeUrl()), browser);
    const undecided = await browser.submit(asked, { decision: 'perhaps' });
    expect(undecided.location).toBe('');
    expect((await browser.submit(undecided, { decision: 'allow' })).location).toContain('code=');
  });
});

describe('a budget that an app asks for (RFC 9396)', () => {
  const budget = (sats: unknown, period: unknown = 'day'): Record<string, unknown> => ({
    type: 'wallet_budget',
    currency: 'SAT',
    max_amount: sats,
    period,
  });
  const asking = (...budgets: unknown[]): Record<string, string> => ({
    scope: 'read write offline',
    authorization_details: JSON.stringify(budgets),
  });
  const detailsIn = (tokens: { readonly body: unknown }): unknown => (tokens.body as Record<string, unknown>)['authorization_details'];
  const inForce = async (token: string): Promise<unknown> =>
    (await dataOf(server.url, '{ authorization { budget { currency window limit spent left freeAt } } }', {}, { 'oauth2-token': token }))
      .authorization.budget;
  const limit = (window: string, sats: number): unknown => ({ currency: 'SAT', window, limit: sats, spent: 0, left: sats, freeAt: null });
  let app: OAuthApp;
  let browser: BrowserSession;
  beforeEach(async () => {
    [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
  });

  it.each([
    ['no JSON', 'ten thousand'],
    ['no array', budget(10)],
    ['nothing in the array', []],
    ['no object', ['wallet_budget']],
    ['an unknown type', [{ type: 'payment_initiation' }]],
    ['an unknown field', [{ ...budget(10), expires: '2027-01-01' }]],
    ['dollars', [{ ...budget(10), currency: 'USD' }]],
    ['nothing to spend', [budget(0)]],
    ['a text as amount', [budget('10')]],
    ['half a satoshi', [budget(10.5)]],
    ['more than the API can state', [budget(2_147_483_648)]],
    ['an unknown period', [budget(10, 'hour')]],
    ['a property of every object as period', [budget(10, 'toString')]],
    ['no period', [{ type: 'wallet_budget', currency: 'SAT', max_amount: 10 }]],
    ['one period twice', [budget(10), budget(20)]],
  ])('is refused with invalid_authorization_details: %s', async (_what, sent) => {
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
    const url = app.authorizeUrl({ scope: 'read write', authorization_details: text });
    const { error, error_description: why } = answered(await browser.get(url));
    expect(error).toBe('invalid_authorization_details');
    expect(why).toMatch(/^authorization_details: [\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('is refused where the app does not ask to send', async () => {
    expect(leadsTo(await browser.get(app.authorizeUrl({ ...asking(budget(10)), scope: 'read' })))).toBe('invalid_authorization_details');
  });

  it('is a field that the person may only lower; tokens say what was granted', async () => {
    const page = await app.consentPage(
      alice,
      await browser.get(app.authorizeUrl(asking(budget(10_000), budget(50_000, 'month')))),
      browser,
    );
    expect(page.text).toMatch(/id="limit"[^>]*value="10,000"/);
    expect(page.text).toMatch(/id="limit-2"[^>]*value="50,000"/);
    const choice = { decision: 'allow', scope: ['read', 'write', 'offline'] };
    for (const wrong of ['10,001', '0', '', 'all']) {
      const again = await browser.submit(page, { ...choice, limit: wrong });
      expect([again.status, again.location]).toEqual([422, '']);
      expect(again.text).toContain('<a href="#limit">Spending limit: ');
    }
    const granted = await app.exchange(answered(await browser.submit(page, { ...choice, limit: '4,000' }))['code'] ?? '');
    expect(detailsIn(granted)).toEqual([budget(4_000), budget(50_000, 'month')]);
    const { access_token: token, refresh_token: refresh = '' } = granted.body as Tokens;
    expect(await inForce(token)).toEqual([limit('DAILY', 4_000), limit('MONTHLY', 50_000)]);
    // The person changes it on the app's page.
    await server.get(AppService).changeLimits(alice.userId, app.client.id, { daily: 3_000 });
    const refreshed = await app.refresh(refresh);
    expect(detailsIn(refreshed)).toEqual([budget(3_000), budget(50_000, 'month')]);
    const reading = await app.refresh((refreshed.body as Tokens).refresh_token ?? '', { scope: 'read' });
    expect([reading.status, detailsIn(reading)]).toEqual([200, undefined]);
  });

  it('is asked for anew where it is wider than what the app has, and remembered where it is not', async () => {
    await app.code(alice, asking(budget(10_000)), browser);
    for (const [budgets, next] of [
      [[budget(10_000)], 'code'],
      [[budget(9_000)], 'code'],
      [[budget(10_001)], '/consent'],
      [[budget(10, 'week')], '/consent'],
      [[budget(10_000), budget(10, 'year')], '/consent'],
    ] as const)
      expect([budgets, leadsTo(await browser.get(app.authorizeUrl(asking(...budgets))))]).toEqual([budgets, next]);
    expect(leadsTo(await browser.get(app.authorizeUrl({ ...asking(budget(10_001)), prompt: 'none' })))).toBe('consent_required');
    // Without the parameter it is as ever, and what was granted stays.
    const plainly = await app.exchange(answered(await browser.get(app.authorizeUrl({ scope: 'read write' })))['code'] ?? '');
    expect(detailsIn(plainly)).toBeUndefined();
    expect(await inForce((plainly.body as Tokens).access_token)).toEqual([limit('DAILY', 10_000)]);
    // The answer to a remembered request has the limit that counts.
    const remembers = await app.exchange(answered(await browser.get(app.authorizeUrl(asking(budget(9_000)))))['code'] ?? '');
    expect(detailsIn(remembers)).toEqual([budget(10_000)]);
    await server.get(AppService).changeLimits(alice.userId, app.client.id, { daily: 5_000 });
    expect(leadsTo(await browser.get(app.authorizeUrl(asking(budget(10_000)))))).toBe('/consent');
  });

  it('is asked for by a pushed request too', async () => {
    expect((await app.push(asking(budget(0)))).body).toMatchObject({ error: 'invalid_authorization_details' });
    const { request_uri: uri = '' } = (await app.push(asking(budget(800)))).body as Record<string, string>;
    const page = await app.consentPage(alice, await browser.get(app.pushedUrl(uri)), browser);
    const { code = '' } = answered(await browser.submit(page, { decision: 'allow', scope: ['read', 'write'], limit: '700' }));
    expect(detailsIn(await app.exchange(code))).toEqual([budget(700)]);
  });

  it('is asked for where the app could send without one', async () => {
    await app.code(alice, { scope: 'read write offline' }, browser);
    expect(leadsTo(await browser.get(app.authorizeUrl(asking(budget(10_000)))))).toBe('/consent');
  });

  it('is neither granted nor changed where the person does not let the app send', async () => {
    await app.code(alice, asking(budget(4_000)), browser);
    const page = await app.consentPage(alice, await browser.get(app.authorizeUrl(asking(budget(10_000)))), browser);
    expect(plain(page.text)).toContain('Now: 4,000 sats');
    const { code = '' } = answered(await browser.submit(page, { decision: 'allow', scope: 'read' }));
    const granted = await app.exchange(code);
    expect(detailsIn(granted)).toBeUndefined();
    expect(await inForce((granted.body as Tokens).access_token)).toEqual([limit('DAILY', 4_000)]);
  });

  it('is by default what the operator has set for the app, where it asks to send', async () => {
    await new OperatorCommand(server).run('client', 'profile', app.client.id, '--authorization-details', JSON.stringify([budget(700)]));
    expect(detailsIn(await app.exchange(await app.code(alice, { scope: 'read write' }, browser)))).toEqual([budget(700)]);
    expect(leadsTo(await browser.get(app.authorizeUrl({ scope: 'read write', authorization_details: '' })))).toBe('code');
    expect(leadsTo(await browser.get(app.authorizeUrl(asking(budget(701)))))).toBe('/consent');
    const reader = await app.exchange(answered(await browser.get(app.authorizeUrl({ scope: 'read' })))['code'] ?? '');
    expect(detailsIn(reader)).toBeUndefined();
  });
});
