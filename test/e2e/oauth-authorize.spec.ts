import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { boxesOf, CALLBACK, newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession, formAction, hiddenFields, type Visit } from '../support/browser-session.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
/** The response to an authorization request, without a sign-in before. */
const begin = (more: Readonly<Record<string, string | undefined>> = {}, app = shop): Promise<Visit> =>
  new BrowserSession(server.url).get(app.authorizeUrl(more));
const answered = ({ location }: Visit): Record<string, string> => Object.fromEntries(new URL(location).searchParams);

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

describe('GET /oauth2/auth, up to the code', () => {
  it('asks for login and consent, and redirects with a code', async () => {
    const browser = new BrowserSession(server.url);
    const begun = await browser.get(shop.authorizeUrl({ scope: 'read write' }));
    expect(begun.status).toBe(303);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    expect(begun.location).toMatch(/\/login\?login_challenge=[\w-]{43}$/);
    const signedIn = await browser.submit(await browser.get(begun.location), { email: alice.email, password: PASSWORD });
    expect(signedIn.status).toBe(303);
    expect(signedIn.location).toMatch(/\/consent\?consent_challenge=[\w-]{43}$/);
    const asked = await browser.get(signedIn.location);
    expect(boxesOf(asked)).toEqual(['read', 'write']);
    const allowed = await browser.submit(asked, { decision: 'allow', scope: ['read', 'write'] });
    expect(allowed.status).toBe(303);
    expect(allowed.location.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(answered(allowed)).toEqual({
      code: expect.stringMatching(/^sluice_ac_/),
      scope: 'read write',
      state: 'a-state-of-mine',
      iss: server.url,
    });
  });

  it('grants the chosen scopes, and returns them', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'read receive write offline' })), browser);
    const allowed = await browser.submit(asked, { decision: 'allow', scope: ['receive', 'offline'] });
    expect(answered(allowed)).toMatchObject({ scope: 'receive offline' });
    const { body } = await shop.exchange(answered(allowed)['code'] ?? '');
    expect(body).toMatchObject({ scope: 'receive offline', refresh_token: expect.any(String) });
  });

  it('grants openid along with the rest, without a checkbox', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'openid read write' })), browser);
    expect(boxesOf(asked)).toEqual(['read', 'write']);
    expect(answered(await browser.submit(asked, { decision: 'allow', scope: 'write' }))).toMatchObject({ scope: 'openid write' });
  });

  it('leaves out unknown scopes, and profile and email where the client may not have them, and says so', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(
      alice,
      await browser.get(shop.authorizeUrl({ scope: 'openid profile email read admin' })),
      browser,
    );
    expect(boxesOf(asked)).toEqual([]);
    const allowed = answered(await browser.submit(asked, { decision: 'allow' }));
    expect(allowed).toMatchObject({ scope: 'openid read' });
    const { body } = await shop.exchange(allowed['code'] ?? '');
    expect(body).toMatchObject({ scope: 'openid read' });
    expect((await shop.userinfo(body.access_token)).body).toEqual({ sub: alice.userId });
  });

  it('answers the request of OpenID Connect Core 3.1.2.1 without PKCE', async () => {
    const site = await newOAuthApp(server, { scopes: ['openid', 'profile', 'email'] });
    const browser = new BrowserSession(server.url);
    const request = {
      response_type: 'code',
      scope: 'openid profile email',
      client_id: site.client.id,
      state: 'af0ifjsldkj',
      redirect_uri: CALLBACK,
    };
    const begun = await browser.get(`/oauth2/auth?${new URLSearchParams(request).toString()}`);
    const asked = await site.consentPage(alice, begun, browser);
    expect(boxesOf(asked)).toEqual(['profile', 'email']);
    expect(asked.text).toContain('See your username');
    expect(asked.text).toContain('See your e-mail address');
    expect(answered(await browser.submit(asked, { decision: 'allow', scope: 'email' }))).toMatchObject({
      scope: 'openid email',
      state: 'af0ifjsldkj',
    });
  });

  it('accepts allow for a single scope', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'write' })), browser);
    expect(boxesOf(asked)).toEqual([]);
    expect(answered(await browser.submit(asked, { decision: 'allow' }))).toMatchObject({ scope: 'write', code: expect.any(String) });
  });

  it('redirects with access_denied for deny', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'read write', prompt: 'consent' })), browser);
    const denied = await browser.submit(asked, { decision: 'deny', scope: ['read'] });
    expect(denied.status).toBe(303);
    expect(answered(denied)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'a-state-of-mine',
      iss: server.url,
    });
  });

  it('lets several tabs of one browser sign in at once', async () => {
    const browser = new BrowserSession(server.url);
    const [one, other] = [
      await browser.get(shop.authorizeUrl({ state: 'the-first-tab', scope: 'write' })),
      await browser.get(shop.authorizeUrl({ state: 'the-second-tab', scope: 'write' })),
    ];
    expect(answered({ ...other, location: await shop.allow(alice, other, browser) })).toMatchObject({
      state: 'the-second-tab',
      code: expect.any(String),
    });
    expect(answered({ ...one, location: await shop.allow(alice, one, browser) })).toMatchObject({
      state: 'the-first-tab',
      code: expect.any(String),
    });
  });

  it('keeps the query of the registered address', async () => {
    const app = await newOAuthApp(server, { redirectUris: ['https://app.example.test/cb?tenant=%41+b'] });
    const { location } = await begin({ scope: 'nothing' }, app);
    expect(location).toMatch(/^https:\/\/app\.example\.test\/cb\?tenant=%41\+b&error=invalid_scope&/);
  });
});

describe('GET /oauth2/auth refuses on a page', () => {
  const pages: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['without a client', { client_id: undefined }],
    ['an unknown client', { client_id: 'unknown' }],
    ['a client that cannot be one', { client_id: "a' OR 1=1 --\0" }],
    ['without redirect_uri', { redirect_uri: undefined }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
  ];
  it.each(pages)('%s', async (_what, more) => {
    const page = await begin(more);
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
    expect(page.text).toContain('data-testid="error-client"');
    expect(page.text).toMatch(/<code>[2-9A-Z]{4}-[2-9A-Z]{4}<\/code>/);
    expect(page.text).not.toContain('evil.example');
    // The one reason that the page shows: it is a mistake of the app's developer, and reveals nothing that they do not know.
    expect(page.text.includes('data-testid="error-redirect-uri"')).toBe(more['redirect_uri'] === 'https://evil.example/');
  });

  it.each([
    ['pending', 'This app isn’t active on this server yet.'],
    ['suspended', 'This app is suspended on this server.'],
  ] as const)('a client that is %s, with that reason', async (state, text) => {
    const app = await newOAuthApp(server);
    await server.pool.query('UPDATE oauth_client SET state = $2 WHERE id = $1', [app.client.id, state]);
    const page = await begin({}, app);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.text).toContain('data-testid="error-client"');
    expect(page.text).toContain(text);
    expect(page.text).not.toContain('Its request was invalid');
    const json = await fetch(`${server.url}${app.authorizeUrl()}`, { headers: { accept: 'application/json' } });
    expect(await json.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining(state === 'pending' ? 'not active' : 'suspended'),
    });
  });

  it('more than 16 KiB', async () => {
    const posted = await new BrowserSession(server.url).post('/oauth2/auth', {
      client_id: shop.client.id,
      redirect_uri: CALLBACK,
      nonce: 'x'.repeat(20_000),
    });
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null]);
  });

  it('a body that is no form', async () => {
    const answer = await fetch(`${server.url}${shop.authorizeUrl()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a"',
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });

  it('in JSON, where the client accepts that', async () => {
    const answer = await fetch(`${server.url}/oauth2/auth`, { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(/[2-9A-Z]{4}-[2-9A-Z]{4}$/) });
  });

  it('with the reason in the log, under the reference of the page', async () => {
    const page = await begin({ redirect_uri: 'https://evil.example/' });
    const reference = /<code>([2-9A-Z-]+)<\/code>/.exec(page.text)?.[1] ?? 'none';
    expect(server.logs.filter((line) => line.includes(reference))).toEqual([expect.stringContaining('redirect_uri is not registered')]);
  });

  it('other methods, with 405', async () => {
    const answer = await fetch(`${server.url}/oauth2/auth`, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('and sends no CORS headers', async () => {
    const answer = await fetch(`${server.url}${shop.authorizeUrl()}`, { headers: { origin: 'https://evil.example' }, redirect: 'manual' });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('GET /oauth2/auth redirects to the app with an error for', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string])[] = [
    ['a request object', { request: 'ey.J.x' }, 'request_not_supported'],
    ['a request by reference', { request_uri: 'https://app.example.test/r' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['an empty response_type', { response_type: '' }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a hybrid response_type', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no state and no PKCE', { state: undefined }, 'invalid_state'],
    ['a short state', { state: '1234567' }, 'invalid_state'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['a blank scope', { scope: '  ' }, 'invalid_scope'],
    ['only unknown scopes', { scope: 'admin profile email' }, 'invalid_scope'],
    ['a scope with a quote', { scope: 'read"' }, 'invalid_scope'],
    ['plain PKCE', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge: 'a'.repeat(43) }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'a'.repeat(42), code_challenge_method: 'S256' }, 'invalid_request'],
    ['a long nonce', { nonce: 'n'.repeat(1_001) }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['prompt=none with others', { prompt: 'none login' }, 'invalid_request'],
    ['prompt=none without a session', { prompt: 'none' }, 'login_required'],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['a max_age that is none', { max_age: 'soon' }, 'invalid_request'],
    ['an id_token_hint that Sluice did not sign', { id_token_hint: 'ey.J.x' }, 'invalid_request'],
    ['NUL in a parameter', { nonce: 'a\0b' }, 'invalid_request'],
  ];
  it.each(cases)('%s', async (_what, more, error) => {
    const visit = await begin(more);
    expect(visit.status).toBe(303);
    expect(visit.location.startsWith(`${CALLBACK}?`)).toBe(true);
    const { state, ...rest } = answered(visit);
    expect(rest).toEqual({ error, error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/), iss: server.url });
    expect(state).toBe('state' in more ? more['state'] : 'a-state-of-mine');
    expect(visit.headers.get('cache-control')).toBe('no-store');
    expect(visit.headers.get('set-cookie')).toBeNull();
  });

  it('a state beyond 2048 bytes, which is not returned', async () => {
    expect(answered(await begin({ state: 'é'.repeat(1_025) }))).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      iss: server.url,
    });
  });

  it('a repeated parameter; a repeated state is not returned', async () => {
    const twice = await new BrowserSession(server.url).get(`${shop.authorizeUrl()}&scope=read`);
    expect(answered(twice)).toMatchObject({ error: 'invalid_request', state: 'a-state-of-mine' });
    expect(answered(await new BrowserSession(server.url).get(`${shop.authorizeUrl()}&state=another-one`))).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      iss: server.url,
    });
  });

  it('a scope that the client may not request', async () => {
    const reader = await newOAuthApp(server, { scopes: ['read'] });
    expect(answered(await begin({ scope: 'read write' }, reader))).toMatchObject({ error: 'invalid_scope' });
    expect(answered(await begin({ scope: 'read offline' }, reader))).toMatchObject({ error: 'invalid_scope' });
  });

  it('a missing PKCE challenge where the client must send one', async () => {
    const careful = await newOAuthApp(server, { requirePkce: true });
    expect(answered(await begin({ code_challenge: undefined, code_challenge_method: undefined }, careful))).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('code challenge required'),
    });
    expect((await begin({ state: undefined }, careful)).location).toMatch(/\/login\?login_challenge=/);
  });

  it('a client without the authorization code grant', async () => {
    const app = await newOAuthApp(server);
    await server.pool.query(`UPDATE oauth_client SET grant_types = '{refresh_token}' WHERE id = $1`, [app.client.id]);
    expect(answered(await begin({}, app))).toMatchObject({ error: 'unauthorized_client' });
  });

  it.each([
    ['unknown parameters', { extra: 'e', 'scope[]': 'admin', __proto__x: '1' }],
    [
      'display, ui_locales, acr_values, claims',
      { display: 'popup', ui_locales: 'xx', claims_locales: 'xx', acr_values: '9', claims: '{', login_hint: '"><svg onload=1>' },
    ],
    ['a nonce of one letter', { nonce: 'n' }],
    ['a login_hint that would be cut within a character', { login_hint: `${'a'.repeat(319)}🦊` }],
    ['no parameter that is empty', { prompt: '', max_age: '', id_token_hint: '', code_challenge: '', response_mode: '', request: '' }],
  ])('but not for %s', async (_what, more) => {
    expect((await begin(more)).location).toMatch(/\/login\?login_challenge=/);
  });
});

describe('response_mode=form_post', () => {
  const FORM_POST = { response_mode: 'form_post', scope: 'write', prompt: 'consent' };

  function expectForm(page: Visit, fields: Readonly<Record<string, unknown>>): void {
    expect([page.status, page.location, formAction(page)]).toEqual([200, '', CALLBACK]);
    expect(hiddenFields(page)).toEqual({ ...fields, state: 'a-state-of-mine', iss: server.url });
    const nonce = /<script nonce="([^"]+)">/.exec(page.text)?.[1] ?? 'none';
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(policy).toContain('form-action https:;');
    // no site can frame it. Without a script, a person presses its button.
    expect([policy.includes("frame-ancestors 'none'"), page.headers.get('x-frame-options')]).toEqual([true, 'DENY']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('<button>Continue</button>');
  }

  it('A-20: posts the response from a page that works without a script', async () => {
    const browser = new BrowserSession(server.url);
    const asked = await shop.consentPage(alice, await browser.get(shop.authorizeUrl(FORM_POST)), browser);
    const allowed = await browser.submit(asked, { decision: 'allow' });
    expectForm(allowed, { code: expect.stringMatching(/^sluice_ac_/), scope: 'write' });
    expect((await shop.exchange(hiddenFields(allowed)['code'] ?? '')).status).toBe(200);
    // Remembered: the endpoint itself answers with the form.
    expectForm(await browser.get(shop.authorizeUrl({ ...FORM_POST, prompt: undefined })), { code: expect.any(String), scope: 'write' });
    const again = await shop.consentPage(alice, await browser.get(shop.authorizeUrl(FORM_POST)), browser);
    expectForm(await browser.submit(again, { decision: 'deny' }), { error: 'access_denied', error_description: expect.any(String) });
  });

  it('posts the errors of the endpoint too', async () => {
    expectForm(await begin({ ...FORM_POST, prompt: 'none' }), { error: 'login_required', error_description: expect.any(String) });
  });

  it('is refused, in the query, where the callback URL cannot take a form', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    expect(answered(await begin(FORM_POST, native))).toMatchObject({ error: 'invalid_request', state: 'a-state-of-mine' });
  });
});

describe('POST /oauth2/par', () => {
  const uriOf = async (more: Readonly<Record<string, string | undefined>> = {}, app = shop): Promise<string> => {
    const { status, body, headers } = await app.push(more);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({ request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/), expires_in: 90 });
    return body.request_uri as string;
  };
  const open = (requestUri: string, app = shop, more = {}): Promise<Visit> =>
    new BrowserSession(server.url).get(app.pushedUrl(requestUri, more));
  function expectPage(page: Visit): void {
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.text).toContain('Its request has expired or was used before.');
  }

  it('is where an app sends its request; nothing that the browser adds counts', async () => {
    const uri = await uriOf({ scope: 'write', state: 'a-pushed-state' });
    const browser = new BrowserSession(server.url);
    const more = {
      scope: 'openid',
      state: 'another-state',
      redirect_uri: 'https://evil.example/',
      prompt: 'none',
      response_mode: 'form_post',
    };
    const begun = await browser.get(shop.pushedUrl(uri, more));
    expect(answered({ ...begun, location: await shop.allow(alice, begun, browser) })).toMatchObject({
      code: expect.any(String),
      scope: 'write',
      state: 'a-pushed-state',
    });
  });

  it('gives a request_uri that works once, for the client that pushed', async () => {
    const [uri, other] = [await uriOf(), await newOAuthApp(server)];
    expectPage(await open(uri, other));
    expect((await open(uri)).location).toContain('/login?');
    expectPage(await open(uri));
    const late = await uriOf();
    await server.pool.query('UPDATE oauth_pushed_request SET expires_at = now()');
    expectPage(await open(late));
    expectPage(await open('urn:ietf:params:oauth:request_uri:unknown'));
  });

  it('stores no credential of the client', async () => {
    await shop.push({ client_secret: shop.secret }, {});
    const { rows } = await server.pool.query('SELECT parameters FROM oauth_pushed_request WHERE client_id = $1', [shop.client.id]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('client_secret');
  });

  it.each([
    ['a header that is none', {}, { authorization: 'Basic !' }, 401, 'invalid_client'],
    ['no secret', {}, {}, 401, 'invalid_client'],
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, undefined, 400, 'invalid_request'],
    ['a request object', { request: 'ey.J.x' }, undefined, 400, 'request_not_supported'],
    ['another client_id', { client_id: 'another' }, undefined, 400, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: undefined }, undefined, 400, 'invalid_request'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }, undefined, 400, 'invalid_request'],
    ['an unknown scope', { scope: 'admin' }, undefined, 400, 'invalid_scope'],
    ['a short state', { state: '1' }, undefined, 400, 'invalid_state'],
    ['an unknown resource', { resource: 'https://evil.example/' }, undefined, 400, 'invalid_target'],
  ])('refuses %s', async (_what, more, headers, status, error) => {
    const answer = await shop.push(more, headers);
    expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  });

  it('is the only way where the operator requires it', async () => {
    const bank = await (await newOAuthApp(server)).profile({ requirePar: true });
    expect(answered(await begin({}, bank))).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('push') });
    expect((await open(await uriOf({}, bank), bank)).location).toContain('/login?');
  });

  it('works over two processes, once; and takes a bounded number of requests', async () => {
    const few = await createTestApp({ beside: server, env: { THROTTLE_PUSHED_REQUEST: '1/60' } });
    try {
      const uri = await uriOf();
      const openings = Array.from({ length: 10 }, (_, n) => new BrowserSession(n % 2 ? few.url : server.url).get(shop.pushedUrl(uri)));
      expect((await Promise.all(openings)).map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(400)]);
      const push = (): Promise<Response> =>
        fetch(`${few.url}/oauth2/par`, {
          method: 'POST',
          headers: { authorization: shop.basic },
          body: new URL(shop.authorizeUrl(), few.url).searchParams,
        });
      expect([(await push()).status, (await push()).status]).toEqual([201, 429]);
    } finally {
      await few.close();
    }
  });
});

describe('resource (RFC 8707)', () => {
  const POINTS = 'https://points.example.test/api';
  const api = (): string => `${server.url}/graphql`;
  const named = (resources: readonly string[]): [string, string][] => resources.map((each) => ['resource', each]);
  /** With several values of one parameter. */
  const withResources = (app: OAuthApp, ...resources: readonly string[]): string =>
    `${app.authorizeUrl({ scope: 'read offline' })}&${new URLSearchParams(named(resources)).toString()}`;
  const exchange = (app: OAuthApp, parameters: Readonly<Record<string, string>>, ...resources: readonly string[]): Promise<Tokens> => {
    const body = new URLSearchParams([...Object.entries(parameters), ...named(resources)]);
    return request(`${server.url}/oauth2/token`, { method: 'POST', headers: { authorization: app.basic }, body }).then(
      (answer) => answer.body as Tokens,
    );
  };
  const audience = async (token: string): Promise<readonly string[] | null> => {
    const { rows } = await server.pool.query('SELECT audience FROM oauth_access_token WHERE hash = sha256($1::bytea)', [
      Buffer.from(token),
    ]);
    return rows[0].audience as readonly string[] | null;
  };
  let app: OAuthApp;
  let browser: BrowserSession;
  const code = async (...resources: readonly string[]): Promise<string> => {
    const end = await app.allow(alice, await browser.get(withResources(app, ...resources)), browser);
    return new URL(end).searchParams.get('code') ?? '';
  };
  const redeem = (sent: string, ...resources: readonly string[]): Promise<Tokens> =>
    exchange(app, { grant_type: 'authorization_code', code: sent, redirect_uri: CALLBACK }, ...resources);
  const refresh = (token: string | undefined, ...resources: readonly string[]): Promise<Tokens> =>
    exchange(app, { grant_type: 'refresh_token', refresh_token: token ?? '' }, ...resources);

  beforeAll(async () => {
    app = await newOAuthApp(server);
    browser = new BrowserSession(server.url);
    await (await newOAuthApp(server, { name: 'Points' })).profile({ resource: POINTS });
  });

  it('names the services that a token is for; a code and a refresh may ask for fewer, never for more', async () => {
    const asked = await app.consentPage(alice, await browser.get(withResources(app, api(), POINTS)), browser);
    expect(asked.text).toContain(POINTS);
    const both = await redeem(await code(api(), POINTS));
    expect(await audience(both.access_token)).toEqual([api(), POINTS]);
    const one = await refresh(both.refresh_token, POINTS);
    expect(await audience(one.access_token)).toEqual([POINTS]);
    expect(await refresh(one.refresh_token, 'https://evil.example/')).toMatchObject({ error: 'invalid_target' });
    const own = await refresh(one.refresh_token, api());
    expect(await audience(own.access_token)).toBeNull();
    expect(await audience((await refresh(own.refresh_token)).access_token)).toEqual([api(), POINTS]);
    const narrow = await redeem(await code(POINTS), POINTS);
    expect(await refresh(narrow.refresh_token, api())).toMatchObject({ error: 'invalid_target' });
    expect(await redeem(await code(POINTS), POINTS, api())).toMatchObject({ error: 'invalid_target' });
  });

  it('is the API by default; a consent for it is none for another service', async () => {
    const fresh = await newOAuthApp(server);
    const { access_token: token } = await fresh.connect(alice, { scope: 'read offline' }, browser);
    expect(await audience(token)).toBeNull();
    expect((await browser.get(withResources(fresh, api()))).location).toContain('code=');
    expect((await browser.get(withResources(fresh, POINTS))).location).toContain('/consent?');
    expect((await browser.get(withResources(fresh, api(), POINTS))).location).toContain('/consent?');
  });

  it.each([
    ['https://evil.example/'],
    ['/graphql'],
    ['%00'],
    [`${POINTS}/`],
    [`${POINTS}#f`],
    Array.from({ length: 11 }, (_, n) => `${POINTS}${n}`),
  ])('refuses %s', async (...resources) => {
    const visit = await browser.get(withResources(app, ...resources.map((each) => decodeURIComponent(each))));
    expect(answered(visit)).toMatchObject({ error: 'invalid_target', state: 'a-state-of-mine' });
  });
});
