import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import type { HttpAnswer } from '../support/http.js';
import { newOAuthApp, newPkce, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession, formAction, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, type Person, PASSWORD } from '../support/fixture.js';

let server: TestApp;
let fixture: Fixture;
let alice: Person;
let shop: OAuthApp;
let careful: OAuthApp;
let browser: BrowserSession;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '10000/60' } });
  fixture = new Fixture(server);
  alice = await fixture.user();
  [shop, careful] = [await newOAuthApp(server), await newOAuthApp(server, { requirePkce: true })];
  browser = new BrowserSession(server.url);
  await shop.code(alice, {}, browser);
});
afterAll(() => server.close());

const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const refused = (answer: HttpAnswer): readonly [number, string] => [answer.status, answer.body.error];
const REFUSED = [400, 'invalid_grant'];

describe('A-09 to A-15: authorization codes', () => {
  it('A-09: a code injected into another client is refused there, and stays valid for its own', async () => {
    const thief = await newOAuthApp(server);
    const code = await shop.code(alice, {}, browser);
    expect(refused(await thief.exchange(code))).toEqual(REFUSED);
    const tokens = await shop.exchange(code);
    expect(tokens.status).toBe(200);
    // After the code's use, another client's attempt must not end anything either.
    expect(refused(await thief.exchange(code))).toEqual(REFUSED);
    expect(await works(tokens.body.access_token)).toBe(true);
  });

  it('A-10: a replayed code revokes every token that was issued for it', async () => {
    const code = await shop.code(alice, { scope: 'read offline', prompt: 'consent' }, browser);
    const { body } = await shop.exchange(code);
    expect(await works(body.access_token)).toBe(true);
    const next = (await shop.refresh(body.refresh_token)).body;
    expect(refused(await shop.exchange(code))).toEqual(REFUSED);
    await eventually(async () => !(await works(body.access_token)) && !(await works(next.access_token)));
    for (const token of [body.refresh_token, next.refresh_token]) expect(refused(await shop.refresh(token))).toEqual(REFUSED);
    expect((await shop.userinfo(next.access_token)).status).toBe(401);
  });

  it('A-11: at most one of fifty simultaneous redemptions on two processes gets tokens, and those are revoked', async () => {
    const beside = await createTestApp({ beside: server });
    try {
      const code = await shop.code(alice, {}, browser);
      const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: shop.redirectUri });
      const init = { method: 'POST', headers: { authorization: shop.basic }, body };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => fetch(`${index % 2 ? beside.url : server.url}/oauth2/token`, init)),
      );
      const right = answers.filter(({ status }) => status === 200);
      expect(right.length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(50 - right.length);
      for (const answer of right) {
        const { access_token: token } = (await answer.json()) as { access_token: string };
        await eventually(async () => !(await works(token)));
      }
      const { rows } = await server.pool.query(
        `SELECT count(*)::int AS n FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_code k ON k.grant_id = g.id
        WHERE g.revoked_at IS NULL AND k.used_at > now() - interval '10 seconds' AND g.created_at > now() - interval '10 seconds' AND k.hash = sha256($1::bytea)`,
        [Buffer.from(code)],
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await beside.close();
    }
  });

  it('A-12: PKCE can be neither removed nor added', async () => {
    const bound = await careful.code(alice, {}, browser);
    const without = await careful.exchange(bound, { code_verifier: undefined });
    expect(refused(without)).toEqual(REFUSED);
    expect(without.body.error_description).toContain('code_verifier is missing');
    // A request without a verifier guesses nothing: the code stays valid, so that the client can correct its mistake.
    expect((await careful.exchange(bound)).status).toBe(200);
    const free = await shop.code(alice, {}, browser);
    expect(refused(await shop.exchange(free, { code_verifier: newPkce().verifier }))).toEqual(REFUSED);
    // A client that need not use PKCE but sends a challenge must send the verifier too.
    const optional = await shop.code(alice, { code_challenge: newPkce().challenge, code_challenge_method: 'S256' }, browser);
    expect(refused(await shop.exchange(optional))).toEqual(REFUSED);
  });

  it.each(['plain', undefined, 's256', 'S256 ', ' S256', 'S512', 'none'])('A-13: the method %j is refused', async (method) => {
    const { location } = await browser.get(careful.authorizeUrl({ code_challenge: 'a'.repeat(43), code_challenge_method: method }));
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['characters it may not have', `${'a'.repeat(42)}!`],
    ['another', newPkce().verifier],
    ['the challenge itself', undefined],
  ])('A-14: a wrong verifier (%s) is refused and invalidates the code', async (_what, verifier) => {
    const code = await careful.code(alice, {}, browser);
    expect(refused(await careful.exchange(code, { code_verifier: verifier ?? careful.pkce.challenge }))).toEqual(REFUSED);
    expect(refused(await careful.exchange(code))).toEqual(REFUSED);
  });

  it('A-15: every response has iss, byte for byte as in discovery', async () => {
    const discovery = (await (await fetch(`${server.url}/.well-known/openid-configuration`)).json()) as { issuer: string };
    for (const more of [{}, { scope: 'nothing' }, { prompt: 'none', scope: 'write' }]) {
      const { location } = await browser.get(shop.authorizeUrl(more));
      expect(new URL(location).searchParams.getAll('iss')).toEqual([discovery.issuer]);
    }
  });
});

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
