import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders, graphql } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { TimeTravel } from '../support/time-travel.js';

const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } } }';
const SUCCESS = { status: 'SUCCESS', errors: [] };
const NONE = { daily: '', weekly: '', monthly: '', annual: '' };
const RANGE = 'Enter 1 to 2,147,483,647 sats, or nothing for no limit.';
const refusedBy = (window: string): object => ({
  status: 'FAILURE',
  errors: [{ code: 'TRANSACTION_RESTRICTED', message: `${window} spending limit exceeded` }],
});

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let browser: BrowserSession;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  bob = await fixture.user();
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

async function signIn({ email }: Person): Promise<BrowserSession> {
  const session = new BrowserSession(app.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
}
const textOf = async (path: string): Promise<string> =>
  (await browser.get(path)).text
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',');
/** Saves the form of the limits on this page. */
const saveAt = async (page: string, fields: Fields, by = browser): Promise<Visit> =>
  by.post(`${page}/limits`, {
    ...hiddenFields(await by.get('/dashboard/keys/new')),
    ...hiddenFields(await by.get(`${page}/limits`)),
    ...NONE,
    ...fields,
  });
const send = async (as: CredentialHeaders, amount: number, from = alice): Promise<unknown> => {
  const input = { walletId: from.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount };
  return (await dataOf(app.url, SEND, { input }, as)).intraLedgerPaymentSend as unknown;
};

describe('the spending limits of a key, on the dashboard', () => {
  const LIST =
    '{ me { apiKeys { id name limits { dailyLimitSats dailySpentSats weeklyLimitSats monthlyLimitSats annualLimitSats annualSpentSats } } } }';
  const SET =
    'mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { limits { weeklyLimitSats weeklySpentSats } } } }';
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const WINDOWS: Readonly<Record<string, string>> = { daily: '24 hours', weekly: '7 days', monthly: '30 days', annual: '365 days' };

  interface Key {
    readonly id: string;
    readonly as: CredentialHeaders;
  }

  beforeAll(async () => {
    alice = await fixture.user({ sats: 100_000 });
    browser = await signIn(alice);
  });

  const pageOf = ({ id }: Pick<Key, 'id'>): string => `/dashboard/keys/${id}`;
  const create = async (fields: Fields): Promise<Visit> =>
    browser.post('/dashboard/keys', {
      ...hiddenFields(await browser.get('/dashboard/keys/new')),
      name: 'Payroll',
      scope: 'write',
      expires: '90',
      ...fields,
    });
  /** A key as the page makes it. */
  async function newKey(fields: Fields = {}): Promise<Key> {
    const { pathname } = new URL((await create(fields)).location);
    const secret = /<code id="key">([^<]+)</.exec((await browser.get(pathname)).text)?.[1] ?? '';
    return { id: pathname.split('/')[3] ?? '', as: { 'x-api-key': secret } };
  }
  const save = (key: Pick<Key, 'id'>, fields: Fields, by = browser): Promise<Visit> => saveAt(pageOf(key), fields, by);
  const limitsOf = async ({ id }: Pick<Key, 'id'>): Promise<unknown> => {
    const keys = (await dataOf(app.url, LIST, {}, await fixture.session(alice))).me.apiKeys as { id: string; limits: unknown }[];
    return keys.find((key) => key.id === id)?.limits;
  };

  it('stay as they are when a window is absent or comes twice', async () => {
    const key = await newKey();
    await save(key, { daily: '77', weekly: '500' });
    const before = await limitsOf(key);
    const hidden = hiddenFields(await browser.get('/dashboard/keys/new'));
    for (const fields of [{}, { daily: '5' }, { ...NONE, daily: ['5', '6'] }] as readonly Fields[])
      expect((await browser.post(`${pageOf(key)}/limits`, { ...hidden, ...fields })).status).toBe(400);
    expect(await limitsOf(key)).toEqual(before);
  });

  it('are set, shown with what was spent, and removed by an empty field', async () => {
    const key = await newKey();
    expect(await textOf(pageOf(key))).toContain('Last 24 hours 0 sats, no limit');
    const saved = await save(key, { daily: '2,000', weekly: ' 500 ', annual: '2147483647' });
    expect([saved.status, new URL(saved.location).pathname]).toEqual([303, pageOf(key)]);
    const { pathname, search } = new URL(saved.location);
    expect(await textOf(pathname + search)).toContain('The limits are saved');
    expect(await limitsOf(key)).toMatchObject({
      dailyLimitSats: 2_000,
      weeklyLimitSats: 500,
      monthlyLimitSats: null,
      annualLimitSats: 2_147_483_647,
    });
    expect(await send(key.as, 300)).toEqual(SUCCESS);
    expect(await send(key.as, 201)).toEqual(refusedBy('weekly'));
    const page = await textOf(pageOf(key));
    expect(page).toContain('Last 24 hours 300 sats of 2,000 sats 1,700 sats left');
    expect(page).toContain('Last 7 days 300 sats of 500 sats 200 sats left');
    expect(page).toContain('Last 30 days 300 sats, no limit');
    expect(page).toContain('A payment must be within every limit. Now the limit for 7 days counts: it leaves the least.');
    expect((await browser.get(`${pageOf(key)}/limits`)).text).toMatch(/id="daily"[^>]*value="2,000"/);
    expect(await save(key, { daily: '2000' })).toMatchObject({ status: 303 });
    expect(await limitsOf(key)).toMatchObject({ dailyLimitSats: 2_000, weeklyLimitSats: null, annualLimitSats: null });
    expect(await send(key.as, 201)).toEqual(SUCCESS);
  });

  it('say so when nothing is left', async () => {
    const key = await newKey({ limit: '500', window: 'weekly' });
    expect(await send(key.as, 500)).toEqual(SUCCESS);
    expect(await textOf(pageOf(key))).toContain('Last 7 days 500 sats of 500 sats Nothing left: payments are refused');
    expect(await textOf(pageOf(key))).toContain('within every limit. Last');
    expect(await textOf(pageOf(key))).toContain('Last error None');
    expect(await send(key.as, 1)).toEqual(refusedBy('weekly'));
    expect(await textOf(pageOf(key))).toContain('Over the limit for 7 days');
    expect(await textOf('/dashboard/keys')).toContain('Over the limit for 7 days');
  });

  it.each<[string, Fields, readonly (readonly [string, string])[]]>([
    ['zero', { weekly: '0' }, [['weekly', RANGE]]],
    ['more digits than all money has', { annual: '9'.repeat(16) }, [['annual', RANGE]]],
    ['a word', { daily: 'all' }, [['daily', 'Enter a number of sats, for example 1,000.']]],
    ['a fraction', { daily: '0.5' }, [['daily', 'The smallest amount is 1 sat. Sats are whole numbers.']]],
    [
      'two faults at once',
      { daily: '1.000', weekly: '0' },
      [
        ['daily', 'Did you mean 1,000 sats or 1 sat? Enter 1000 or 1.'],
        ['weekly', RANGE],
      ],
    ],
  ])('refuse %s, name the field, keep what was typed, and change nothing', async (_, fields, faults) => {
    const key = await newKey({ limit: '700', window: 'monthly' });
    const before = await limitsOf(key);
    const { status, text } = await save(key, { monthly: '900', ...fields });
    expect(status).toBe(422);
    expect(text).toMatch(/<title>Error: /);
    for (const [field, error] of faults) {
      expect(text).toContain(`<p class="error" id="${field}-error">${error}</p>`);
      expect(text).toContain(`<a href="#${field}">Limit for ${WINDOWS[field]}: ${error}</a>`);
    }
    for (const [field, value] of Object.entries({ monthly: '900', ...fields }))
      expect(text).toMatch(new RegExp(`id="${field}"[^>]*value="${String(value)}"`));
    expect(await limitsOf(key)).toEqual(before);
  });

  it('are set with the key', async () => {
    const key = await newKey({ limit: '1,000', window: 'weekly' });
    expect(await limitsOf(key)).toMatchObject({ dailyLimitSats: null, weeklyLimitSats: 1_000 });
    expect(await send(key.as, 1_001)).toEqual(refusedBy('weekly'));
    expect(await limitsOf(await newKey({ limit: '', window: 'weekly' }))).toMatchObject({ weeklyLimitSats: null });
  });

  it.each<[string, Fields, string]>([
    ['more digits than all money has', { limit: '9'.repeat(16), window: 'daily' }, RANGE],
    ['an unknown time', { limit: '5', window: 'hourly' }, 'Choose 24 hours, 7, 30 or 365 days.'],
  ])('make no key with %s as its limit', async (_, fields, error) => {
    const before = (await app.pool.query('SELECT FROM api_key')).rowCount;
    const { status, text } = await create({ ...fields, name: '' });
    expect(status).toBe(422);
    expect(text).toContain(`<p class="error" id="limit-error">${error}</p>`);
    expect(text).toContain(`<a href="#limit">Spending limit: ${error}</a>`);
    expect(text).toContain('Enter a name');
    expect(text).toContain(`value="${String(fields['limit'])}"`);
    expect((await app.pool.query('SELECT FROM api_key')).rowCount).toBe(before);
  });

  it('are in the list of keys', async () => {
    const key = await newKey({ name: 'Listed', limit: '12345', window: 'monthly' });
    expect(await textOf('/dashboard/keys')).toContain('Send At most 12,345 sats in 30 days');
    await save(key, {});
    expect(await textOf('/dashboard/keys')).not.toContain('12,345');
  });

  it('are the ones of the API', async () => {
    const key = await newKey();
    const input = { id: key.id, limitTimeWindow: 'WEEKLY', limitSats: 4_321 };
    await dataOf(app.url, SET, { input }, await fixture.session(alice));
    expect(await textOf(pageOf(key))).toContain('0 sats of 4,321 sats');
  });

  describe('of a key that cannot send', () => {
    const NO_EFFECT = 'This key cannot send, so limits have no effect.';
    const WITHOUT_SEND = 'A key without Send spends nothing. Leave this field empty, or choose Send.';

    it('are nowhere stated as what it may spend, though the API takes them', async () => {
      const key = await newKey({ scope: ['read', 'receive'] });
      expect(await textOf(pageOf(key))).not.toContain('Spending limits');
      await dataOf(app.url, SET, { input: { id: key.id, limitTimeWindow: 'WEEKLY', limitSats: 4_323 } }, await fixture.session(alice));
      const { text } = await browser.get(pageOf(key));
      expect(text).toContain(NO_EFFECT);
      for (const part of [/4,323/, /<meter/, /\bleft\b/, /Change limits/]) expect(text).not.toMatch(part);
      expect(await textOf('/dashboard/keys')).not.toContain('4,323');
    });

    it('have no form, and are not taken from one', async () => {
      const key = await newKey({ scope: 'read' });
      const page = await browser.get(`${pageOf(key)}/limits`);
      expect([page.status, page.text.includes(NO_EFFECT)]).toEqual([200, true]);
      for (const part of ['name="daily"', 'Save limits']) expect(page.text).not.toContain(part);
      const before = await limitsOf(key);
      const { status, text } = await save(key, { daily: '5' });
      expect([status, text.includes(NO_EFFECT)]).toEqual([422, true]);
      expect(await limitsOf(key)).toEqual(before);
      const sender = await newKey({ scope: ['read', 'write'] });
      for (const path of [pageOf(sender), `${pageOf(sender)}/limits`]) expect(await textOf(path)).not.toContain('cannot send');
    });

    it('are refused with the key', async () => {
      const limit = '1,000';
      const { status, text } = await create({ scope: ['read', 'receive'], limit, window: 'daily' });
      expect(status).toBe(422);
      expect(text).toContain(`<p class="error" id="limit-error">${WITHOUT_SEND}</p>`);
      expect(text).toContain(`<a href="#limit">Spending limit: ${WITHOUT_SEND}</a>`);
      expect(text).toContain(`value="${limit}"`);
    });

    it('are judged by their rule while no permission is chosen', async () => {
      const { text } = await create({ scope: [], limit: 'abc', window: 'daily' });
      expect(text).toContain('Choose a permission');
      expect(text).not.toContain(WITHOUT_SEND);
    });
  });

  it('stay as they are when the key has ended', async () => {
    const key = await newKey({ limit: '700', window: 'monthly' });
    const open = hiddenFields(await browser.get(`${pageOf(key)}/limits`));
    await browser.post(`${pageOf(key)}/revoke`, hiddenFields(await browser.get(`${pageOf(key)}/revoke`)));
    const page = await textOf(pageOf(key));
    expect(page).toContain('0 sats of 700 sats');
    expect(page).not.toContain('Change limits');
    expect(await textOf(`${pageOf(key)}/limits`)).toContain('Already revoked');
    const before = await limitsOf(key);
    const late = await browser.post(`${pageOf(key)}/limits`, { ...open, ...NONE, daily: '5' });
    expect([late.status, late.text.includes('Already revoked')]).toEqual([410, true]);
    expect(await limitsOf(key)).toEqual(before);
  });

  describe('in a form that is older than a change elsewhere', () => {
    let key: Key;
    let old: Fields;

    beforeEach(async () => {
      key = await newKey({ limit: '50,000', window: 'daily' });
      expect(await save(key, { daily: '50,000', monthly: '700' })).toMatchObject({ status: 303 });
      old = hiddenFields(await browser.get(`${pageOf(key)}/limits`));
      expect(await save(key, { daily: '60,000', weekly: '300,000', monthly: '700' })).toMatchObject({ status: 303 });
    });
    const sendOld = (fields: Fields): Promise<Visit> => browser.post(`${pageOf(key)}/limits`, { ...old, ...NONE, ...fields });
    const NOW = { dailyLimitSats: 60_000, weeklyLimitSats: 300_000, monthlyLimitSats: 700, annualLimitSats: null };

    it.each<[string, Fields, object]>([
      ['another window', { daily: '50,000', monthly: '900' }, { ...NOW, monthlyLimitSats: 900 }],
      ['the same window: the last write counts', { daily: '70,000', monthly: '700' }, { ...NOW, dailyLimitSats: 70_000 }],
      ['a limit away', { daily: '50,000', monthly: '' }, { ...NOW, monthlyLimitSats: null }],
    ])('are written where the person changed them: %s', async (_, fields, saved) => {
      const { status, location } = await sendOld(fields);
      expect([status, location]).toEqual([303, `${app.url}${pageOf(key)}?limits=saved`]);
      expect(await limitsOf(key)).toMatchObject(saved);
    });

    it('are not written by a form that does not say what it showed', async () => {
      expect((await browser.post(`${pageOf(key)}/limits`, { csrf: old['csrf'] ?? '', ...NONE })).status).toBe(400);
      expect(await limitsOf(key)).toMatchObject(NOW);
    });
  });

  it('are of no other person, and need the token of the form', async () => {
    const key = await newKey({ limit: '700', window: 'monthly' });
    const before = await limitsOf(key);
    const mallory = await signIn(await fixture.user());
    for (const id of [key.id, UNKNOWN, 'x']) {
      expect((await mallory.get(`/dashboard/keys/${id}/limits`)).status).toBe(404);
      expect((await save({ id }, { daily: '5' }, mallory)).status).toBe(404);
    }
    expect((await browser.post(`${pageOf(key)}/limits`, { ...NONE, daily: '5' })).status).toBe(403);
    expect(await limitsOf(key)).toEqual(before);
  });
});

describe('the spending limits of a connected app', () => {
  const DAY = 86_400;

  let coffee: OAuthApp;
  let token: CredentialHeaders;

  beforeEach(async () => {
    coffee = await newOAuthApp(app);
    alice = await fixture.user({ sats: 100_000 });
    browser = new BrowserSession(app.url);
    token = await connect();
  });

  /** Each time a new grant. */
  const connect = async (scope = 'read write'): Promise<CredentialHeaders> => ({
    'oauth2-token': (await coffee.connect(alice, { scope }, browser)).access_token,
  });
  const page = (): string => `/dashboard/apps/${coffee.client.id}`;
  const pageText = (): Promise<string> => textOf(page());
  const save = (fields: Fields, by = browser): Promise<Visit> => saveAt(page(), fields, by);

  it('are set, shown with what was spent, changed and removed on its page, and bind from the next payment on', async () => {
    expect(await send(token, 700)).toEqual(SUCCESS);
    expect(await pageText()).toContain('Last 24 hours 700 sats, no limit');
    const saved = await save({ weekly: '1,000', annual: '5000' });
    expect(saved.location).toBe(`${app.url}${page()}?limits=saved`);
    expect(await textOf(`${page()}?limits=saved`)).toContain('The limits are saved.');
    expect(await pageText()).toContain('Last 7 days 700 sats of 1,000 sats 300 sats left');
    expect(await textOf('/dashboard/apps')).toContain('At most 1,000 sats in 7 days At most 5,000 sats in 365 days');
    expect(await send(token, 301)).toEqual(refusedBy('weekly'));
    expect(await send(token, 300)).toEqual(SUCCESS);
    expect(await send(token, 1)).toEqual(refusedBy('weekly'));
    expect((await browser.get(`${page()}/limits`)).text).toMatch(/id="weekly"[^>]*value="1,000"/);
    await save({ annual: '1500' });
    expect(await send(token, 501)).toEqual(refusedBy('annual'));
    await save({});
    expect(await send(token, 5_000)).toEqual(SUCCESS);
    expect(await pageText()).toContain('Last 365 days 6,000 sats, no limit');
  });

  it('are of the app, not of one grant: another sign-in through it, and connecting it again, leave them', async () => {
    const STAY = 'Its spending limits stay, and apply again then.';
    expect(await textOf(`${page()}/disconnect`)).not.toContain(STAY);
    await save({ monthly: '1000' });
    expect(await textOf(`${page()}/disconnect`)).toContain(`You can reconnect from the app. ${STAY}`);
    expect(await send(token, 400)).toEqual(SUCCESS);
    const other = await connect();
    expect(await send(other, 601)).toEqual(refusedBy('monthly'));
    expect(await send(other, 500)).toEqual(SUCCESS);
    expect(await send(token, 101)).toEqual(refusedBy('monthly'));
    await browser.post(`${page()}/disconnect`, hiddenFields(await browser.get(`${page()}/disconnect`)));
    expect((await browser.get(`${page()}/limits`)).status).toBe(404);
    await app.pool.query('DELETE FROM oauth_grant WHERE user_id = $1', [alice.userId]);
    expect(await send(await connect(), 101)).toEqual(refusedBy('monthly'));
    expect(await pageText()).toContain('Last 30 days 900 sats of 1,000 sats');
  });

  it('count the payments of this person by this app only', async () => {
    await save({ daily: '500' });
    expect(await send(alice.as('write'), 5_000)).toEqual(SUCCESS);
    const carol = await fixture.user({ sats: 10_000 });
    const hers = { 'oauth2-token': (await coffee.connect(carol, { scope: 'read write' })).access_token };
    expect(await send(hers, 5_000, carol)).toEqual(SUCCESS);
    const tea = await newOAuthApp(app, { name: 'Tea' });
    const another = { 'oauth2-token': (await tea.connect(alice, { scope: 'read write' }, browser)).access_token };
    expect(await send(another, 5_000)).toEqual(SUCCESS);
    expect(await pageText()).toContain('Last 24 hours 0 sats of 500 sats');
    expect(await send(token, 501)).toEqual(refusedBy('daily'));
    expect(await send(token, 500)).toEqual(SUCCESS);
  });

  it('count what the API keys spend that the app has created', async () => {
    coffee = await newOAuthApp(app, { name: 'Manager', trusted: true });
    token = await connect();
    const create = 'mutation { apiKeyCreate(input: { name: "till", scopes: [READ, WRITE] }) { apiKeySecret } }';
    const made = (await dataOf(app.url, create, {}, token)).apiKeyCreate;
    const key = { 'x-api-key': made.apiKeySecret as string };
    await save({ daily: '500' });
    expect(await send(key, 300)).toEqual(SUCCESS);
    expect(await send(token, 201)).toEqual(refusedBy('daily'));
    expect(await send(key, 201)).toEqual(refusedBy('daily'));
    expect(await send(token, 200)).toEqual(SUCCESS);
    expect(await pageText()).toContain('500 sats of 500 sats');
  });

  it('are free again once the payments are too old', async () => {
    await save({ weekly: '500' });
    expect(await send(token, 500)).toEqual(SUCCESS);
    const travel = new TimeTravel(app);
    await travel.paymentsOfApp(coffee.client.id, 7 * DAY - 600);
    expect(await send(token, 500)).toEqual(refusedBy('weekly'));
    await travel.paymentsOfApp(coffee.client.id, 600);
    expect(await send(token, 500)).toEqual(SUCCESS);
    expect(await send(token, 1)).toEqual(refusedBy('weekly'));
  });

  it('are refused with the field and the rule, and nothing is changed', async () => {
    await save({ daily: '77' });
    const { status, text } = await save({ daily: '5', weekly: '0', annual: 'all' });
    expect(status).toBe(422);
    expect(text).toContain(RANGE);
    expect(await pageText()).toContain('0 sats of 77 sats');
    const hidden = hiddenFields(await browser.get('/dashboard/keys/new'));
    for (const fields of [{}, { daily: '5' }] as readonly Fields[])
      expect((await browser.post(`${page()}/limits`, { ...hidden, ...fields })).status).toBe(400);
    expect(await pageText()).toContain('0 sats of 77 sats');
  });

  it('are of no other person, need the token of the form, and are out of reach for the app', async () => {
    await save({ daily: '100' });
    const mallory = await signIn(await fixture.user());
    expect((await mallory.get(`${page()}/limits`)).status).toBe(404);
    expect((await save({ daily: '5' }, mallory)).status).toBe(404);
    expect((await browser.post(`${page()}/limits`, { ...NONE, daily: '5' })).status).toBe(403);
    const input = { id: `${coffee.client.id}:${alice.userId}`, limitTimeWindow: 'DAILY' };
    const remove = 'mutation ($input: ApiKeyRemoveLimitInput!) { apiKeyRemoveLimit(input: $input) { apiKey { id } } }';
    expect((await graphql(app.url, remove, { input }, token)).errors).toMatchObject([{ extensions: { code: 'NOT_AUTHORIZED' } }]);
    expect((await graphql(app.url, remove, { input }, await fixture.session(alice))).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(await send(token, 101)).toEqual(refusedBy('daily'));
  });

  describe('on the consent page', () => {
    const asked = async (scope = 'read write'): Promise<Visit> =>
      coffee.consentPage(alice, await browser.get(coffee.authorizeUrl({ scope, prompt: 'consent' })), browser);
    const allow = (page: Visit, fields: Fields): Promise<Visit> =>
      browser.submit(page, { decision: 'allow', scope: ['read', 'write'], ...fields });

    it('bind from the first payment on, and are shown on the page of the app', async () => {
      const { location } = await allow(await asked(), { limit: '1,000', window: 'weekly' });
      const { body } = await coffee.exchange(new URL(location).searchParams.get('code') ?? '');
      const granted = { 'oauth2-token': (body as { access_token: string }).access_token };
      expect(await pageText()).toContain('Last 7 days 0 sats of 1,000 sats');
      expect(await send(granted, 1_001)).toEqual(refusedBy('weekly'));
      expect(await send(granted, 1_000)).toEqual(SUCCESS);
      // Left empty, they stay, as the page says.
      const again = await asked();
      expect(again.text.replace(/<[^>]*>/g, '')).toMatch(
        /Now: at most 1,000\s+sats in 7 days\. That stays, unless you enter another limit for the same time\./,
      );
      await allow(again, { limit: '', window: 'daily' });
      expect(await pageText()).toContain('1,000 sats of 1,000 sats');
    });

    it('are not set by an answer that does not count', async () => {
      const form = await asked();
      expect((await allow(form, { limit: '70', window: 'daily' })).location).toContain('code=');
      const grants = 'SELECT FROM oauth_grant WHERE client_id = $1';
      const before = (await app.pool.query(grants, [coffee.client.id])).rowCount;
      expect((await allow(form, { limit: '7', window: 'weekly' })).text).toContain('You allowed this request');
      expect((await app.pool.query(grants, [coffee.client.id])).rowCount).toBe(before);
      expect(await pageText()).toMatch(/0 sats of 70 sats .*Last 7 days 0 sats, no limit/);
    });

    it('are not set by Deny, nor asked in a request without sending', async () => {
      const [form, reading] = [await asked(), await asked('read')];
      await save({ daily: '100' });
      expect((await browser.submit(form, { decision: 'deny', limit: '5', window: 'daily' })).location).toContain('error=access_denied');
      expect((await browser.submit(reading, { decision: 'allow', limit: '5', window: 'daily' })).location).toContain('code=');
      expect(await pageText()).toContain('0 sats of 100 sats');
    });

    it.each([
      ['0', 'weekly', 'Enter 1 to 2,147,483,647 sats'],
      ['5', 'hourly', 'Choose 24 hours, 7, 30 or 365 days.'],
    ])('are refused with the rule, and nothing is granted: %s, %s', async (limit, window, rule) => {
      const form = await asked();
      const again = await allow(form, { limit, window, scope: 'write' });
      expect([again.status, again.location]).toEqual([422, '']);
      expect(again.text).toContain(`<a href="#limit">Spending limit: ${rule}`);
      expect(again.text).toContain(`id="limit-error">${rule}`);
      expect(again.text).toMatch(new RegExp(`id="limit"[^>]*value="${limit}"`));
      expect(again.text).toMatch(/value="write" checked/);
      expect(again.text).not.toMatch(/value="read" checked/);
      expect(new URL((await allow(again, { limit: '70', window: 'annual' })).location).searchParams.has('code')).toBe(true);
      expect(await pageText()).toContain('Last 365 days 0 sats of 70 sats');
    });

    it('are not asked of an app that cannot send; bind also where the person does not let it send now, because it may have let it before; are not changed by a refusal', async () => {
      expect((await asked('read')).text).not.toContain('Spending limit');
      expect(await send(token, 6)).toEqual(SUCCESS);
      await allow(await asked(), { limit: '10', window: 'daily', scope: 'read' });
      await browser.submit(await asked(), { decision: 'deny', scope: ['write'], limit: '5', window: 'daily' });
      expect(await pageText()).toContain('Last 24 hours 6 sats of 10 sats');
      expect(await send(token, 5)).toEqual(refusedBy('daily'));
      expect(await send(token, 4)).toEqual(SUCCESS);
    });
  });

  it('are of an app that cannot send now: no page says what is left of them, and the list does not state them', async () => {
    const reader = await newOAuthApp(app, { name: 'Reader' });
    await reader.connect(alice, { scope: 'read' }, browser);
    const path = `/dashboard/apps/${reader.client.id}`;
    expect(await textOf(path)).not.toContain('Spending limits');
    expect(await textOf(`${path}/limits`)).toContain(
      'This app cannot send now. Its limits apply to API keys that it has created, and to itself if you let it send.',
    );
    expect(await textOf(`${page()}/limits`)).not.toContain('cannot send');
    const form = await browser.get(`${path}/limits`);
    const saved = await browser.post(`${path}/limits`, { ...hiddenFields(form), ...NONE, weekly: '888' });
    expect(await textOf(saved.location.replace(app.url, ''))).toMatch(/The limits are saved\. (?!They count)/);
    const { text } = await browser.get(path);
    expect(text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain('Last 7 days 0 sats of 888 sats');
    expect(text).not.toMatch(/<meter|sats<\/data> left|Nothing left/);
    expect(await textOf('/dashboard/apps')).not.toContain('888');
    await reader.connect(alice, { scope: 'read write' }, browser);
    expect(await textOf('/dashboard/apps')).toContain('At most 888 sats in 7 days');
    expect(await textOf(path)).toContain('0 sats of 888 sats 888 sats left');
  });
});
