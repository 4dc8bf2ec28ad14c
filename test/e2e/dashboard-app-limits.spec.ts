import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { TimeTravel } from '../support/time-travel.js';

const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } } }';
const SUCCESS = { status: 'SUCCESS', errors: [] };
const NONE = { daily: '', weekly: '', monthly: '', annual: '' };
const DAY = 86_400;
const refusedBy = (window: string): object => ({
  status: 'FAILURE',
  errors: [{ code: 'TRANSACTION_RESTRICTED', message: `${window} spending limit exceeded` }],
});

describe('the spending limits of a connected app', () => {
  let app: TestApp;
  let fixture: Fixture;
  let coffee: OAuthApp;
  let alice: Person;
  let bob: Person;
  let browser: BrowserSession;
  let token: CredentialHeaders;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    bob = await fixture.user();
  });
  beforeEach(async () => {
    coffee = await newOAuthApp(app);
    alice = await fixture.user({ sats: 100_000 });
    browser = new BrowserSession(app.url);
    token = await connect();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** Each time a new grant. */
  const connect = async (scope = 'read write'): Promise<CredentialHeaders> => ({
    'oauth2-token': (await coffee.connect(alice, { scope }, browser)).access_token,
  });
  const page = (): string => `/dashboard/apps/${coffee.client.id}`;
  const textOf = async (path = page()): Promise<string> =>
    (await browser.get(path)).text
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .replaceAll(' ,', ',');
  const save = async (fields: Fields, by = browser): Promise<Visit> =>
    by.post(`${page()}/limits`, {
      ...hiddenFields(await by.get('/dashboard/keys/new')),
      ...hiddenFields(await by.get(`${page()}/limits`)),
      ...NONE,
      ...fields,
    });
  const send = async (amount: number, as = token, from = alice): Promise<unknown> => {
    const input = { walletId: from.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount };
    return (await dataOf(app.url, SEND, { input }, as)).intraLedgerPaymentSend as unknown;
  };

  it('are set, shown with what was spent, changed and removed on its page, and bind from the next payment on', async () => {
    expect(await send(700)).toEqual(SUCCESS);
    expect(await textOf()).toContain('Last 24 hours 700 sats, no limit');
    const saved = await save({ weekly: '1,000', annual: '5000' });
    expect(saved.location).toBe(`${app.url}${page()}?limits=saved`);
    expect(await textOf(`${page()}?limits=saved`)).toContain('The limits are saved.');
    expect(await textOf()).toContain('Last 7 days 700 sats of 1,000 sats 300 sats left');
    expect(await textOf('/dashboard/apps')).toContain('At most 1,000 sats in 7 days At most 5,000 sats in 365 days');
    expect(await send(301)).toEqual(refusedBy('weekly'));
    expect(await send(300)).toEqual(SUCCESS);
    expect(await send(1)).toEqual(refusedBy('weekly'));
    expect((await browser.get(`${page()}/limits`)).text).toMatch(/id="weekly"[^>]*value="1,000"/);
    await save({ annual: '1500' });
    expect(await send(501)).toEqual(refusedBy('annual'));
    await save({});
    expect(await send(5_000)).toEqual(SUCCESS);
    expect(await textOf()).toContain('Last 365 days 6,000 sats, no limit');
  });

  it('are of the app, not of one grant: another sign-in through it, and connecting it again, leave them', async () => {
    const STAY = 'Its spending limits stay, and apply again then.';
    expect(await textOf(`${page()}/disconnect`)).not.toContain(STAY);
    await save({ monthly: '1000' });
    expect(await textOf(`${page()}/disconnect`)).toContain(`You can reconnect from the app. ${STAY}`);
    expect(await send(400)).toEqual(SUCCESS);
    const other = await connect();
    expect(await send(601, other)).toEqual(refusedBy('monthly'));
    expect(await send(500, other)).toEqual(SUCCESS);
    expect(await send(101)).toEqual(refusedBy('monthly'));
    await browser.post(`${page()}/disconnect`, hiddenFields(await browser.get(`${page()}/disconnect`)));
    expect((await browser.get(`${page()}/limits`)).status).toBe(404);
    await app.pool.query('DELETE FROM oauth_grant WHERE user_id = $1', [alice.userId]);
    expect(await send(101, await connect())).toEqual(refusedBy('monthly'));
    expect(await textOf()).toContain('Last 30 days 900 sats of 1,000 sats');
  });

  it('count the payments of this person by this app only', async () => {
    await save({ daily: '500' });
    expect(await send(5_000, alice.as('write'))).toEqual(SUCCESS);
    const carol = await fixture.user({ sats: 10_000 });
    const hers = { 'oauth2-token': (await coffee.connect(carol, { scope: 'read write' })).access_token };
    expect(await send(5_000, hers, carol)).toEqual(SUCCESS);
    const tea = await newOAuthApp(app, { name: 'Tea' });
    const another = { 'oauth2-token': (await tea.connect(alice, { scope: 'read write' }, browser)).access_token };
    expect(await send(5_000, another)).toEqual(SUCCESS);
    expect(await textOf()).toContain('Last 24 hours 0 sats of 500 sats');
    expect(await send(501)).toEqual(refusedBy('daily'));
    expect(await send(500)).toEqual(SUCCESS);
  });

  it('count what the API keys spend that the app has created', async () => {
    coffee = await newOAuthApp(app, { name: 'Manager', trusted: true });
    token = await connect();
    const create = 'mutation { apiKeyCreate(input: { name: "till", scopes: [READ, WRITE] }) { apiKeySecret } }';
    const made = (await dataOf(app.url, create, {}, token)).apiKeyCreate;
    const key = { 'x-api-key': made.apiKeySecret as string };
    await save({ daily: '500' });
    expect(await send(300, key)).toEqual(SUCCESS);
    expect(await send(201)).toEqual(refusedBy('daily'));
    expect(await send(201, key)).toEqual(refusedBy('daily'));
    expect(await send(200)).toEqual(SUCCESS);
    expect(await textOf()).toContain('500 sats of 500 sats');
  });

  it('are free again once the payments are too old', async () => {
    await save({ weekly: '500' });
    expect(await send(500)).toEqual(SUCCESS);
    const travel = new TimeTravel(app);
    await travel.paymentsOfApp(coffee.client.id, 7 * DAY - 600);
    expect(await send(500)).toEqual(refusedBy('weekly'));
    await travel.paymentsOfApp(coffee.client.id, 600);
    expect(await send(500)).toEqual(SUCCESS);
    expect(await send(1)).toEqual(refusedBy('weekly'));
  });

  it('are refused with the field and the rule, and nothing is changed', async () => {
    await save({ daily: '77' });
    const { status, text } = await save({ daily: '5', weekly: '0', annual: 'all' });
    expect(status).toBe(422);
    expect(text).toContain('Enter 1 to 2,147,483,647 sats, or nothing for no limit.');
    expect(await textOf()).toContain('0 sats of 77 sats');
    const hidden = hiddenFields(await browser.get('/dashboard/keys/new'));
    for (const fields of [{}, { daily: '5' }] as readonly Fields[])
      expect((await browser.post(`${page()}/limits`, { ...hidden, ...fields })).status).toBe(400);
    expect(await textOf()).toContain('0 sats of 77 sats');
  });

  it('are of no other person, need the token of the form, and are out of reach for the app', async () => {
    await save({ daily: '100' });
    const mallory = new BrowserSession(app.url);
    const { email } = await fixture.user();
    await mallory.signInOnTheWay(await mallory.get('/dashboard'), { email, password: PASSWORD });
    expect((await mallory.get(`${page()}/limits`)).status).toBe(404);
    expect((await save({ daily: '5' }, mallory)).status).toBe(404);
    expect((await browser.post(`${page()}/limits`, { ...NONE, daily: '5' })).status).toBe(403);
    const input = { id: `${coffee.client.id}:${alice.userId}`, limitTimeWindow: 'DAILY' };
    const remove = 'mutation ($input: ApiKeyRemoveLimitInput!) { apiKeyRemoveLimit(input: $input) { apiKey { id } } }';
    expect((await graphql(app.url, remove, { input }, token)).errors).toMatchObject([{ extensions: { code: 'NOT_AUTHORIZED' } }]);
    expect((await graphql(app.url, remove, { input }, await fixture.session(alice))).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(await send(101)).toEqual(refusedBy('daily'));
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
      expect(await textOf()).toContain('Last 7 days 0 sats of 1,000 sats');
      expect(await send(1_001, granted)).toEqual(refusedBy('weekly'));
      expect(await send(1_000, granted)).toEqual(SUCCESS);
      // Left empty, they stay, as the page says.
      const again = await asked();
      expect(again.text.replace(/<[^>]*>/g, '')).toMatch(
        /Now: at most 1,000\s+sats in 7 days\. That stays, unless you enter another limit for the same time\./,
      );
      await allow(again, { limit: '', window: 'daily' });
      expect(await textOf()).toContain('1,000 sats of 1,000 sats');
    });

    it('are not set by an answer that does not count', async () => {
      const form = await asked();
      expect((await allow(form, { limit: '70', window: 'daily' })).location).toContain('code=');
      const grants = 'SELECT FROM oauth_grant WHERE client_id = $1';
      const before = (await app.pool.query(grants, [coffee.client.id])).rowCount;
      expect((await allow(form, { limit: '7', window: 'weekly' })).text).toContain('You allowed this request');
      expect((await app.pool.query(grants, [coffee.client.id])).rowCount).toBe(before);
      expect(await textOf()).toMatch(/0 sats of 70 sats .*Last 7 days 0 sats, no limit/);
    });

    it('are not set by Deny, nor asked in a request without sending', async () => {
      const [form, reading] = [await asked(), await asked('read')];
      await save({ daily: '100' });
      expect((await browser.submit(form, { decision: 'deny', limit: '5', window: 'daily' })).location).toContain('error=access_denied');
      expect((await browser.submit(reading, { decision: 'allow', limit: '5', window: 'daily' })).location).toContain('code=');
      expect(await textOf()).toContain('0 sats of 100 sats');
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
      expect(await textOf()).toContain('Last 365 days 0 sats of 70 sats');
    });

    it('are not asked of an app that cannot send; bind also where the person does not let it send now, because it may have let it before; are not changed by a refusal', async () => {
      expect((await asked('read')).text).not.toContain('Spending limit');
      expect(await send(6)).toEqual(SUCCESS);
      await allow(await asked(), { limit: '10', window: 'daily', scope: 'read' });
      await browser.submit(await asked(), { decision: 'deny', scope: ['write'], limit: '5', window: 'daily' });
      expect(await textOf()).toContain('Last 24 hours 6 sats of 10 sats');
      expect(await send(5)).toEqual(refusedBy('daily'));
      expect(await send(4)).toEqual(SUCCESS);
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
