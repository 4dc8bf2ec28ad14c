import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { formAction, hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

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
  const NOT_SENT = 'You were signed out, so your form wasn’t sent.';
  const count = async (table: string): Promise<number> => (await app.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;

  /** Events that end a session while a form is open. */
  const ENDS: readonly [string, () => Promise<void>][] = [
    ['by signing out in another tab', async () => void (await browser.post('/logout', hiddenFields(await browser.get('/dashboard'))))],
    ['by being signed out from elsewhere', async () => fixture.endSessions(alice)],
  ];

  it.each(ENDS)('keeps the entered values to receive: %s', async (_, end) => {
    const form = await browser.get('/dashboard');
    await end();
    const before = await count('invoice');
    const sent = await browser.post('/dashboard/receive', {
      ...hiddenFields(form),
      amount: '12.34',
      unit: 'USD',
      memo: 'Tea & cake "two"',
    });
    expect(path(sent)).toBe('/login?interrupted=kept&to=%2Fdashboard%2Freceive');
    const login = await browser.get(sent.location);
    expect(login.text).toContain(NOT_SENT);
    expect(login.text).toContain('We kept what you entered');
    const back = await browser.submit(login, { email: alice.email, password: PASSWORD });
    expect(path(back)).toBe('/dashboard/receive');
    const page = await browser.get(back.location);
    expect(page.text).toContain('Your form wasn’t sent.');
    expect(page.text.replace(/\s+/g, ' ')).toContain('You were signed out before it arrived, so nothing was created.');
    expect(page.text).toContain('value="12.34"');
    expect(page.text).toContain('value="Tea &amp; cake &quot;two&quot;"');
    expect(page.text).toContain('<option value="USD" selected>');
    expect(await count('invoice')).toBe(before);
    // Once only: a reload shows an empty form.
    expect((await browser.get('/dashboard/receive')).text).not.toContain('12.34');
    expect((await browser.post('/dashboard/receive', { ...hiddenFields(page), amount: '12.34', unit: 'USD', memo: '' })).status).toBe(303);
    expect(await count('invoice')).toBe(before + 1);
  });

  it.each(ENDS)('keeps the chosen values of a key: %s', async (_, end) => {
    const form = await browser.get('/dashboard/keys/new');
    await end();
    const before = await count('api_key');
    const fields = { ...hiddenFields(form), name: 'Till', scope: ['receive'], expires: '365' };
    const sent = await browser.post('/dashboard/keys', fields);
    const back = await browser.submit(await browser.get(sent.location), { email: alice.email, password: PASSWORD });
    expect(path(back)).toBe('/dashboard/keys/new');
    const { text } = await browser.get(back.location);
    expect(text).toContain('Your form wasn’t sent.');
    expect(text).toContain('value="Till"');
    expect(text).toMatch(/value="receive" checked/);
    expect(text).not.toMatch(/value="read" checked/);
    expect(text).toContain('<option value="365" selected>');
    expect(await count('api_key')).toBe(before);
  });

  it('is not shown to another user who signs in there', async () => {
    const form = await browser.get('/dashboard');
    await browser.post('/logout', hiddenFields(form));
    await browser.post('/dashboard/receive', { ...hiddenFields(form), amount: '777', unit: 'sats', memo: 'a secret' });
    await signIn(bob);
    const { text } = await browser.get('/dashboard/receive');
    expect(text).not.toMatch(/777|a secret|wasn’t sent/);
  });

  it('is restored without a sign-in when its user has signed in again', async () => {
    const form = await browser.get('/dashboard/keys/new');
    await browser.post('/logout', hiddenFields(form));
    await signIn(alice);
    const sent = await browser.post('/dashboard/keys', { ...hiddenFields(form), name: 'Till', scope: 'read', expires: '90' });
    expect(path(sent)).toBe('/dashboard/keys/new');
    expect((await browser.get(sent.location)).text).toContain('value="Till"');
  });

  it('is refused when another user has signed in', async () => {
    const form = await browser.get('/dashboard/keys/new');
    await browser.post('/logout', hiddenFields(form));
    await signIn(bob);
    const sent = await browser.post('/dashboard/keys', { ...hiddenFields(form), name: 'Till', scope: 'read', expires: '90' });
    expect(sent.status).toBe(403);
    expect(sent.text).toContain('data-testid="error-form"');
  });

  it('reports that the values are lost when they are too long to keep', async () => {
    const form = await browser.get('/dashboard');
    await browser.post('/logout', hiddenFields(form));
    const sent = await browser.post('/dashboard/receive', { ...hiddenFields(form), amount: '5', unit: 'sats', memo: 'x'.repeat(3_000) });
    expect(path(sent)).toBe('/login?interrupted=lost&to=%2Fdashboard%2Freceive');
    expect((await browser.get(sent.location)).text).toContain('We couldn’t keep what you entered');
  });

  it('keeps nothing when it comes from another site', async () => {
    const form = await browser.get('/dashboard');
    await fixture.endSessions(alice);
    const sent = await browser.post(
      '/dashboard/receive',
      { ...hiddenFields(form), amount: '5', unit: 'sats', memo: '' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect(path(sent)).toBe('/login?interrupted=lost&to=%2Fdashboard%2Freceive');
    expect(browser.cookies.has('sluice-form')).toBe(false);
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
      expect(path(sent)).toBe(`/login?interrupted=again&to=${encodeURIComponent(page)}`);
      const login = await browser.get(sent.location);
      expect(login.text).toContain('Sign in and confirm it again.');
      expect(path(await browser.submit(login, { email: alice.email, password: PASSWORD }))).toBe(page);
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
    /** What a page has of what was entered. */
    const shownOn = ({ text }: Visit): unknown => ({
      notice: text.replace(/\s+/g, ' ').includes('You were signed out before it arrived, so nothing was allowed.'),
      ticked: [...text.matchAll(/name="scope" value="(\w+)" checked/g)].map(([, name]) => name),
      limit: /id="limit"[^>]*value="([^"]*)"/.exec(text)?.[1],
      window: /<option value="(\w+)" selected>/.exec(text)?.[1],
    });
    const restored = { notice: true, ticked: ['read', 'write'], limit: '6,500', window: 'monthly' };
    const empty = { notice: false, ticked: ['read', 'receive'], limit: '', window: 'daily' };

    it.each(ENDS)('keeps the choice and the limit, and grants nothing before they are sent again: %s', async (_, end) => {
      await end();
      const sent = await browser.submit(consent, entered);
      expect(path(sent)).toMatch(/^\/login\?login_challenge=[\w-]+&interrupted=kept$/);
      const login = await browser.get(sent.location);
      expect(login.text).toContain(NOT_SENT);
      expect(login.text).toContain('We kept what you entered');
      const back = await browser.submit(login, { email: alice.email, password: PASSWORD });
      expect(path(back)).toMatch(/^\/consent\?/);
      const again = await browser.get(back.location);
      expect(shownOn(again)).toEqual(restored);
      expect(await granted()).toBe(0);
      // Once only: a reload shows the page as it was at first.
      expect(shownOn(await browser.get(back.location))).toEqual(empty);
      expect((await browser.submit(again, entered)).location).toContain('code=');
    });

    it('keeps them without a sign-in when the person has signed in again in another tab', async () => {
      await fixture.endSessions(alice);
      await signIn(alice);
      const sent = await browser.submit(consent, { ...entered, decision: 'deny' });
      expect(shownOn(await browser.get((await browser.get(sent.location)).location))).toEqual(restored);
      expect(await granted()).toBe(0);
    });

    it('keeps the choices of two requests apart', async () => {
      const other = await browser.get((await browser.get(coffee.authorizeUrl({ scope: 'read receive write' }))).location);
      await fixture.endSessions(alice);
      const [first, second] = [await browser.submit(consent, entered), await browser.submit(other, { ...entered, limit: '77' })];
      await signIn(alice);
      const shown = async (sent: Visit): Promise<unknown> => shownOn(await browser.get((await browser.get(sent.location)).location));
      expect(await shown(first)).toEqual(restored);
      expect(await shown(second)).toEqual({ ...restored, limit: '77' });
    });

    it('states the limits that were changed in between', async () => {
      await fixture.endSessions(alice);
      const sent = await browser.submit(consent, entered);
      await app.pool.query(`INSERT INTO budget (id, daily_msat) VALUES ($1, 5000)`, [`${coffee.client.id}:${alice.userId}`]);
      const back = await browser.submit(await browser.get(sent.location), { email: alice.email, password: PASSWORD });
      const again = await browser.get(back.location);
      expect(shownOn(again)).toEqual(restored);
      expect(again.text).toContain('The limits of this app were changed elsewhere while this page was open.');
    });

    it('does not show them to another user, nor keep them from another site', async () => {
      await fixture.endSessions(alice);
      const sent = await browser.submit(consent, entered);
      const back = await browser.submit(await browser.get(sent.location), { email: bob.email, password: PASSWORD });
      expect(shownOn(await browser.get(back.location))).toEqual(empty);

      consent = await browser.get((await browser.get(coffee.authorizeUrl({ scope: 'read receive write' }))).location);
      await fixture.endSessions(bob);
      const foreign = await browser.post(
        formAction(consent),
        { ...hiddenFields(consent), ...entered },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      );
      expect(path(foreign)).toMatch(/&interrupted=lost$/);
      expect((await browser.get(foreign.location)).text).toContain('We couldn’t keep what you entered');
    });

    it('says so when they are too long to keep', async () => {
      await fixture.endSessions(alice);
      const sent = await browser.submit(consent, { ...entered, limit: '9'.repeat(3_000) });
      expect(path(sent)).toMatch(/&interrupted=lost$/);
      expect(await granted()).toBe(0);
    });
  });
});
