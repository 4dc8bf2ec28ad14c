import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { formAction, hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { routesOf } from '../support/routes.js';

/** A person fills in a form, and the session ends before they send it. */
describe('a form sent after its session has ended', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  beforeEach(async () => {
    browser = new BrowserSession(app.url);
    await signIn(alice);
  });
  afterAll(() => app.close());

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
