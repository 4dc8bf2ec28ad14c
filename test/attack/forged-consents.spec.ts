import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { formAction, hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '10000/60' } });
  fixture = new Fixture(server);
  alice = await fixture.user();
});
afterAll(() => server.close());

const grantsOf = async (app: OAuthApp): Promise<number> =>
  (await server.pool.query('SELECT 1 FROM oauth_grant WHERE client_id = $1', [app.client.id])).rowCount ?? 0;

/** An app, and the consent page to which it has sent alice. */
async function asking(scope = 'read write'): Promise<{ app: OAuthApp; browser: BrowserSession; page: Visit }> {
  const [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
  return { app, browser, page: await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope })), browser) };
}

describe('A-16: approval without the person’s decision', () => {
  it('the consent page shows the app, its host and the account', async () => {
    const { page } = await asking();
    for (const text of ['Corner Coffee', 'app.example.test', alice.username]) expect(page.text).toContain(text);
    expect(page.text).toContain('The operator hasn’t verified its developer.');
  });

  it('public clients are never approved without the consent page', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['http://127.0.0.1/cb'] });
    const browser = new BrowserSession(server.url);
    await native.code(alice, {}, browser);
    expect((await browser.get(native.authorizeUrl({ redirect_uri: 'http://127.0.0.1:6666/cb' }))).location).toContain('/consent?');
  });
});

describe('A-17: forged consents', () => {
  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from a sibling', { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['with a foreign origin alone', { origin: 'https://evil.example' }],
    ['with an origin of null alone', { origin: 'null' }],
    ['from nowhere', {}],
  ] as readonly (readonly [string, Record<string, string>])[])('%s', async (_what, headers) => {
    const { app, browser, page } = await asking();
    const answer = await browser.post(formAction(page), { ...hiddenFields(page), decision: 'allow', scope: ['read', 'write'] }, headers);
    expect([answer.status, answer.location, await grantsOf(app)]).toEqual([403, '', 0]);
  });

  it.each([
    ['without the token', (): Record<string, string> => ({})],
    ['with an invented token', (): Record<string, string> => ({ csrf: 'A'.repeat(59) })],
    ['with the token of another tab', (other: Visit): Record<string, string> => hiddenFields(other)],
  ])('%s', async (_what, fields) => {
    const { app, browser, page } = await asking();
    const other = await app.consentPage(alice, await browser.get(app.authorizeUrl({ scope: 'read' })), browser);
    const answer = await browser.post(formAction(page), { ...fields(other), decision: 'allow', scope: ['read', 'write'] });
    expect([answer.status, answer.location, await grantsOf(app)]).toEqual([403, '', 0]);
  });

  it('the form as a real browser sends it is accepted', async () => {
    const { browser, page } = await asking();
    expect((await browser.submit(page, { decision: 'allow', scope: 'read' })).location).toContain('code=');
  });

  it('the form for signing in is guarded in the same way', async () => {
    const [app, browser] = [await newOAuthApp(server), new BrowserSession(server.url)];
    const page = await browser.get((await browser.get(app.authorizeUrl())).location);
    const fields = { ...hiddenFields(page), email: alice.email, password: PASSWORD };
    expect((await browser.post(formAction(page), fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.post(formAction(page), { ...fields, csrf: '' })).status).toBe(403);
  });
});

it('A-18: GET never grants consent', async () => {
  const { app, browser, page } = await asking();
  const csrf = encodeURIComponent(hiddenFields(page)['csrf'] ?? '');
  const visit = await browser.get(`${formAction(page)}&decision=allow&scope=read&scope=write&csrf=${csrf}`);
  expect([visit.location, await grantsOf(app)]).toEqual(['', 0]);
});

describe('A-19: stolen challenges', () => {
  it('cannot be completed in another browser', async () => {
    const [app, attacker, victim] = [await newOAuthApp(server), new BrowserSession(server.url), new BrowserSession(server.url)];
    const begun = await attacker.get(app.authorizeUrl());
    // The victim is signed in already, and opens the attacker's link.
    await victim.submit(await victim.get('/login'), { email: alice.email, password: PASSWORD });
    const opened = await victim.get(begun.location);
    expect([opened.status >= 400, opened.location]).toEqual([true, '']);
    expect(opened.text).toContain('data-testid="error-ended"');
    // The attacker, who has not signed in, gets no further by it.
    const challenge = new URL(begun.location).searchParams.get('login_challenge') ?? '';
    expect((await attacker.get(`/consent?consent_challenge=${challenge}`)).location).toBe(
      `${server.url}/login?login_challenge=${challenge}`,
    );
    const { rows } = await server.pool.query('SELECT session_id FROM oauth_interaction WHERE client_id = $1', [app.client.id]);
    expect(rows).toEqual([{ session_id: null }]);
  });

  it('a consent page cannot be answered without the cookie of its own request', async () => {
    const { app, browser, page } = await asking();
    const bare = browser.clone();
    for (const name of bare.cookies.keys()) if (name.startsWith('sluice-i-')) bare.cookies.delete(name);
    const answer = await bare.submit(page, { decision: 'allow', scope: 'read' });
    expect([answer.location, await grantsOf(app)]).toEqual(['', 0]);
    // The cookie of another request, set under this one's name, is not accepted.
    const other = await asking();
    const name = [...browser.cookies.keys()].find((cookie) => cookie.startsWith('sluice-i-')) ?? '';
    bare.cookies.set(name, [...other.browser.cookies].find(([cookie]) => cookie.startsWith('sluice-i-'))?.[1] ?? '');
    expect((await bare.submit(page, { decision: 'allow', scope: 'read' })).location).toBe('');
  });
});

it('A-20: no page can be framed', async () => {
  const { app, browser, page } = await asking();
  const pages = [
    page,
    await new BrowserSession(server.url).get((await new BrowserSession(server.url).get(app.authorizeUrl())).location),
    await browser.get('/oauth2/auth'),
    await new BrowserSession(server.url).get('/login'),
    await browser.get('/consent?consent_challenge=x'),
  ];
  for (const each of pages) {
    expect(each.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(each.headers.get('x-frame-options')).toBe('DENY');
    expect(each.headers.get('cache-control')).toBe('no-store');
  }
});

describe('A-23: markup in names and parameters', () => {
  const EVIL = '"><svg onload=alert(1)>';

  it('an app’s name is escaped', async () => {
    const app = await newOAuthApp(server, { name: EVIL });
    const browser = new BrowserSession(server.url);
    const begun = await browser.get(app.authorizeUrl({ login_hint: EVIL, ui_locales: EVIL, state: `${EVIL}${EVIL}` }));
    const login = await browser.get(begun.location);
    const consent = await app.consentPage(alice, begun, browser);
    for (const { text } of [login, consent]) {
      expect(text).not.toContain('<svg onload');
      expect(text).toContain('&lt;svg onload');
    }
  });

  it('the error page does not repeat it', async () => {
    const app = await newOAuthApp(server);
    for (const more of [{ client_id: EVIL }, { redirect_uri: `https://app.example.test/${EVIL}` }]) {
      const { text } = await new BrowserSession(server.url).get(
        app.authorizeUrl({ ...more, error: EVIL, error_description: EVIL, state: EVIL }),
      );
      expect(text).not.toContain('svg onload');
    }
  });
});
