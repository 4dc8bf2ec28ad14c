import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The operator finds a page's reference in one line of the log, which says what happened, and where. */
describe('the reference on an error page', () => {
  const SECRET = 'a-state-that-no-log-contains';
  let app: TestApp;
  let alice: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
    browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
  });
  afterAll(() => app.close());

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
