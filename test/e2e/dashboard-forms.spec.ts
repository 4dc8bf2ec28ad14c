import { MAX_KEYS } from '../../src/access/api-key/index.js';
import { REFUSALS } from '../../src/platform/logging/refusal-log.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { hiddenFields, BrowserSession, type Fields, type Visit, formAction } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { routesOf } from '../support/routes.js';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let browser: BrowserSession;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  alice = await fixture.user();
  browser = new BrowserSession(app.url);
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
});
afterAll(() => app.close());

/** The form that creates a key names its faults and keeps the input. */
describe('POST /dashboard/keys', () => {
  const GOOD = { name: 'Till', scope: 'read', expires: '90' };
  let form: Visit;

  beforeAll(async () => {
    form = await browser.get('/dashboard/keys/new');
  });

  const send = (fields: Fields): Promise<Visit> => browser.post('/dashboard/keys', { ...hiddenFields(form), ...fields });

  it.each<[string, Fields, string]>([
    ['no name', { ...GOOD, name: ' ' }, 'Enter a name'],
    ['a name of 65 characters', { ...GOOD, name: 'x'.repeat(65) }, 'This name isn’t allowed'],
    ['a control character', { ...GOOD, name: 'Ti\u0007ll' }, 'This name isn’t allowed'],
    ['no scope', { name: 'Till', expires: '90' }, 'Choose a permission'],
    ['an expiry that is none of the choices', { ...GOOD, expires: '91' }, 'Choose an expiry'],
    ['no expiry', { name: 'Till', scope: 'read' }, 'Choose an expiry'],
  ])('%s', async (_, fields, said) => {
    const { status, text } = await send(fields);
    expect([status, text.includes(said)]).toEqual([422, true]);
    expect(text).toContain(`value="${String(fields['name']).trim()}"`);
  });

  it.each([
    ['scope:read', 'Missing permission: Read'],
    ['scope:receive write', 'Missing permission: Receive or Send'],
    ['scope:gone:away', 'Missing permission'],
    ['limit:daily', 'Over the limit for 24 hours'],
    ['limit:annual', 'Over the limit for 365 days'],
    ['session-only', 'Requires you to be signed in'],
    ['expired', 'Expired, but still in use'],
    ['revoked', 'Revoked, but still in use'],
  ])('the key’s pages show the cause of a refusal: %s', async (cause, words) => {
    const { rows } = await app.pool.query<{ id: string }>(
      `UPDATE api_key SET last_refused_at = now(), last_refusal = $2 WHERE id = (SELECT id FROM api_key WHERE user_id = $1 LIMIT 1) RETURNING id`,
      [alice.userId, cause],
    );
    for (const path of ['/dashboard/keys', `/dashboard/keys/${rows[0]?.id}`]) expect((await browser.get(path)).text).toContain(words);
  });

  it('refuses a key above the maximum', async () => {
    await app.pool.query(
      `INSERT INTO api_key (id, user_id, name, scopes, key_hash, hint)
       SELECT gen_random_uuid(), $1, 'filler', '{read}', sha256(n::text::bytea), '' FROM generate_series(1, $2) AS n`,
      [alice.userId, MAX_KEYS],
    );
    const { status, text } = await send(GOOD);
    expect([status, text.includes(`You’ve reached the limit of ${MAX_KEYS} keys`)]).toEqual([422, true]);
  });
});

/** The operator finds a page's reference in one line of the log, which says what happened, and where. */
describe('the reference on an error page', () => {
  const SECRET = 'a-state-that-no-log-contains';

  const referenceOf = ({ text }: Visit): string | null => /<code>([2-9A-Z]{4}-[2-9A-Z]{4})<\/code>/.exec(text)?.[1] ?? null;
  const linesOf = (reference: string): Record<string, unknown>[] =>
    app.logs.filter((line) => line.includes(reference)).map((line) => JSON.parse(line) as Record<string, unknown>);

  /** The page fails because another table has taken the place of this one. */
  async function without<T>(table: string, instead: string, act: () => Promise<T>): Promise<T> {
    await app.pool.query(`ALTER TABLE ${table} RENAME TO put_away; ${instead}`);
    try {
      return await act();
    } finally {
      await app.pool.query(`DROP VIEW IF EXISTS ${table}; ALTER TABLE put_away RENAME TO ${table}`);
    }
  }
  const AWAY = `CREATE OR REPLACE FUNCTION is_away() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P03'; END $$;
                CREATE VIEW api_key AS SELECT * FROM put_away WHERE is_away()`;

  it.each<[kind: string, status: number, route: string, level: number, visit: () => Promise<Visit>]>([
    ['form', 403, 'POST /login', 30, () => browser.post(`/login?to=${SECRET}`, { csrf: SECRET, email: SECRET, password: SECRET })],
    ['form', 403, 'GET /dashboard/events', 30, () => browser.get(`/dashboard/events?token=${SECRET}`, { 'sec-fetch-site': 'none' })],
    [
      'request',
      400,
      'POST /dashboard/keys',
      30,
      async () => browser.post('/dashboard/keys', { ...hiddenFields(await browser.get('/dashboard/keys/new')), name: `\0${SECRET}` }),
    ],
    ['ended', 400, 'GET /consent', 30, () => browser.get(`/consent?consent_challenge=${SECRET.padEnd(43, 'x')}`)],
    ['fault', 500, 'GET /dashboard/keys/:id', 50, () => without('api_key', '', () => browser.get(`/dashboard/keys/${alice.userId}`))],
    ['away', 503, 'GET /dashboard/keys', 40, () => without('api_key', AWAY, () => browser.get('/dashboard/keys'))],
  ])('%s: %d at %s', async (kind, status, route, level, visit) => {
    const page = await visit();
    expect([page.status, page.text.includes(`data-testid="error-${kind}"`)]).toEqual([status, true]);
    const lines = linesOf(referenceOf(page) ?? 'none');
    expect(lines).toMatchObject([{ level, context: 'Pages', msg: expect.stringContaining(`${kind}, ${status}, ${route}`) }]);
    expect(lines.map(({ err }) => err !== undefined)).toEqual([kind === 'fault']);
    expect(app.logs.join('\n')).not.toContain(SECRET);
  });

  it('of the consent page for an app that was suspended meanwhile finds the client', async () => {
    const shop = await newOAuthApp(app);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl()), browser);
    await app.pool.query(`UPDATE oauth_client SET state = 'suspended' WHERE id = $1`, [shop.client.id]);
    const page = await browser.submit(asked, { decision: 'allow' });
    expect(page.text).toContain('data-testid="error-client"');
    expect(linesOf(referenceOf(page) ?? 'none')).toMatchObject([{ level: 40, msg: expect.stringContaining('client, 400, POST /consent') }]);
  });

  it.each([
    ['authorization requests', '/oauth2/auth', 'oauth_request_refused'],
    ['consent pages', `/consent?consent_challenge=${'c'.repeat(43)}`, 'page_refused'],
  ])('is that of one line a minute for refused %s, which counts them', async (_what, path, event) => {
    const everyMs = jest.replaceProperty(REFUSALS, 'everyMs', 0);
    const lines = (): Record<string, unknown>[] =>
      app.logs.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['event'] === event);
    await browser.get(path);
    const before = lines().length;
    everyMs.replaceValue(60_000);
    const pages: Visit[] = [];
    for (let n = 0; n < 12; n++) pages.push(await new BrowserSession(app.url).get(path));
    expect(lines().length).toBe(before);
    expect(new Set(pages.map(referenceOf))).toEqual(new Set([lines().at(-1)?.['reference']]));
    everyMs.replaceValue(0);
    const next = await browser.get(path);
    expect(lines().slice(before)).toMatchObject([
      { reference: referenceOf(next), requests: 13, msg: expect.stringContaining(', and 12 more since the last line') },
    ]);
    everyMs.restore();
  });

  it('of the authorization endpoint is in the log', async () => {
    const page = await browser.get(`/oauth2/auth?client_id=unknown&state=${SECRET}`);
    expect(linesOf(referenceOf(page) ?? 'none')).toMatchObject([{ level: 40 }]);
    expect(app.logs.join('\n')).not.toContain(SECRET);
  });

  it.each([
    ['an address where nothing is', (): Promise<Visit> => browser.get('/dashboard/nothing')],
    ['a page of another user', (): Promise<Visit> => browser.get(`/dashboard/history/${alice.userId}`)],
    [
      'an answer that was given already',
      async (): Promise<Visit> => {
        const shop = await newOAuthApp(app);
        const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl()), browser);
        await browser.submit(asked, { decision: 'deny' });
        return browser.get(asked.url);
      },
    ],
  ])('is missing where the log has nothing: %s', async (_, visit) => {
    const page = await visit();
    expect(page.text).toMatch(/data-testid="error-(missing|denied)"/);
    expect([page.text.includes('Reference'), referenceOf(page)]).toEqual([false, null]);
  });
});

/** A person fills in a form, and the session ends before they send it. */
describe('a form sent after its session has ended', () => {
  let bob: Person;

  beforeAll(async () => {
    bob = await fixture.user();
  });
  beforeEach(async () => {
    browser = new BrowserSession(app.url);
    await signIn(alice);
  });

  const signIn = ({ email }: Person, way = '/dashboard'): Promise<Visit> =>
    browser.get(way).then((page) => browser.signInOnTheWay(page, { email, password: PASSWORD }));
  const path = ({ location }: Visit): string => location.replace(app.url, '');
  const NOT_DONE = 'Your session has ended, so this form was not carried out.';
  const count = async (table: string): Promise<number> => (await app.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;
  const INVOICE = { amount: '12.34', unit: 'USD', memo: '' };

  /** Events that end a session while a form is open. */
  const ENDS: readonly [string, () => Promise<void>][] = [
    ['by signing out in another tab', async () => void (await browser.post('/logout', hiddenFields(await browser.get('/dashboard'))))],
    ['by being signed out from elsewhere', async () => fixture.endSessions(alice)],
  ];

  it.each(ENDS)('does nothing, and the sign-in page says so and leads back: %s', async (_, end) => {
    const form = await browser.get('/dashboard');
    await end();
    const before = await count('invoice');
    const sent = await browser.post('/dashboard/receive', { ...hiddenFields(form), ...INVOICE });
    expect(path(sent)).toBe('/login?session-ended=1&to=%2Fdashboard%2Freceive');
    const login = await browser.get(sent.location);
    expect(login.text).toContain(NOT_DONE);
    const back = await browser.submit(login, { email: alice.email, password: PASSWORD });
    expect(path(back)).toBe('/dashboard/receive');
    expect(await count('invoice')).toBe(before);
    const page = await browser.get(back.location);
    expect((await browser.post('/dashboard/receive', { ...hiddenFields(page), ...INVOICE })).status).toBe(303);
    expect(await count('invoice')).toBe(before + 1);
  });

  it('says nothing of a form where none was sent', async () => {
    await fixture.endSessions(alice);
    const redirected = await browser.get('/dashboard/receive');
    expect(path(redirected)).toBe('/login?to=%2Fdashboard%2Freceive');
    expect((await browser.get(redirected.location)).text).not.toContain(NOT_DONE);
  });

  it('leads to the sign-in: each form of the dashboard', async () => {
    const forms = routesOf(app).filter((route) => route.startsWith('POST /dashboard'));
    expect(forms.length).toBeGreaterThan(10);
    const form = hiddenFields(await browser.get('/dashboard'));
    await fixture.endSessions(alice);
    for (const route of forms) {
      const address = route.replace('POST ', '').replace(/:\w+/g, 'a');
      expect([route, path(await browser.post(address, form))]).toEqual([route, expect.stringMatching(/^\/login\?session-ended=1(&to=|$)/)]);
    }
  });

  it.each(['alice', 'bob'])('is refused when %s has signed in since', async (name) => {
    const form = await browser.get('/dashboard/keys/new');
    await browser.post('/logout', hiddenFields(form));
    await signIn(name === 'alice' ? alice : bob);
    const before = await count('api_key');
    const sent = await browser.post('/dashboard/keys', { ...hiddenFields(form), name: 'Till', scope: 'read', expires: '90' });
    expect([sent.status, sent.text.includes('data-testid="error-form"')]).toEqual([403, true]);
    expect(await count('api_key')).toBe(before);
  });

  it('leaves nothing in the browser when it comes from another site', async () => {
    const form = await browser.get('/dashboard');
    await fixture.endSessions(alice);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const before = [...browser.cookies.keys()];
    expect(path(await browser.post('/dashboard/receive', { ...hiddenFields(form), ...INVOICE }, foreign))).toMatch(/^\/login\?/);
    expect([...browser.cookies.keys()]).toEqual(before);
  });

  it('asks for a confirmation again, and does nothing before it', async () => {
    const { paymentHash } = await alice.invoice(1_000);
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM api_key WHERE user_id = $1 LIMIT 1', [alice.userId]);
    for (const [action, page] of [
      [`/dashboard/receive/${paymentHash}/cancel`, `/dashboard/receive/${paymentHash}`],
      [`/dashboard/keys/${rows[0]?.id}/revoke`, `/dashboard/keys/${rows[0]?.id}/revoke`],
    ] as const) {
      await signIn(alice);
      const form = await browser.get(page);
      await browser.post('/logout', hiddenFields(form));
      const sent = await browser.post(action, hiddenFields(form));
      expect(path(sent)).toBe(`/login?session-ended=1&to=${encodeURIComponent(page)}`);
      expect(path(await browser.submit(await browser.get(sent.location), { email: alice.email, password: PASSWORD }))).toBe(page);
    }
    expect((await app.pool.query(`SELECT FROM invoice WHERE payment_hash = $1 AND state = 'open'`, [paymentHash])).rowCount).toBe(1);
    expect((await app.pool.query('SELECT FROM api_key WHERE id = $1 AND revoked_at IS NULL', [rows[0]?.id])).rowCount).toBe(1);
  });

  describe('on the consent page of an app', () => {
    let coffee: OAuthApp;
    let consent: Visit;
    const entered = { decision: 'allow', scope: ['read', 'write'], limit: '6,500', window: 'monthly' };

    beforeEach(async () => {
      coffee = await newOAuthApp(app);
      consent = await browser.get((await browser.get(coffee.authorizeUrl({ scope: 'read receive write' }))).location);
    });
    const granted = async (): Promise<number> =>
      (await app.pool.query('SELECT FROM oauth_grant WHERE client_id = $1', [coffee.client.id])).rowCount ?? 0;

    it.each(ENDS)('grants nothing, and the request is open again after the sign-in: %s', async (_, end) => {
      await end();
      const sent = await browser.submit(consent, entered);
      expect(path(sent)).toMatch(/^\/login\?login_challenge=[\w-]+&session-ended=1$/);
      const login = await browser.get(sent.location);
      expect(login.text).toContain(NOT_DONE);
      const back = await browser.submit(login, { email: alice.email, password: PASSWORD });
      expect(path(back)).toMatch(/^\/consent\?/);
      const again = await browser.get(back.location);
      expect([again.status, await granted()]).toEqual([200, 0]);
      expect((await browser.submit(again, entered)).location).toContain('code=');
    });

    it('is not shown to another user with what was entered', async () => {
      await fixture.endSessions(alice);
      const sent = await browser.submit(consent, entered);
      const back = await browser.submit(await browser.get(sent.location), { email: bob.email, password: PASSWORD });
      expect((await browser.get(back.location)).text).not.toContain('6,500');
    });

    it('leads to the sign-in when the answer comes from another site', async () => {
      await fixture.endSessions(alice);
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const sent = await browser.post(formAction(consent), { ...hiddenFields(consent), ...entered }, foreign);
      expect(path(sent)).toMatch(/^\/login\?login_challenge=/);
      expect(await granted()).toBe(0);
    });
  });
});
