import { createTestApp, type TestApp } from '../support/app.js';
import { CALLBACK, newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';

let server: TestApp;
let shop: OAuthApp;
/** The response to an authorization request, without a sign-in before. */
const begin = (more: Readonly<Record<string, string | undefined>> = {}, app = shop): Promise<Visit> =>
  new BrowserSession(server.url).get(app.authorizeUrl(more));
const answered = ({ location }: Visit): Record<string, string> => Object.fromEntries(new URL(location).searchParams);

beforeAll(async () => {
  server = await createTestApp();
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

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
    ['an unknown scope', { scope: 'read admin' }, 'invalid_scope'],
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
    const app = await newOAuthApp(server, { grantTypes: ['refresh_token'] });
    expect(answered(await begin({}, app))).toMatchObject({ error: 'unauthorized_client' });
  });

  it.each([
    ['unknown parameters', { extra: 'e', 'scope[]': 'admin', __proto__x: '1' }],
    [
      'display, ui_locales, acr_values, claims',
      { display: 'popup', ui_locales: 'xx', claims_locales: 'xx', acr_values: '9', claims: '{', login_hint: '"><svg onload=1>' },
    ],
    ['a nonce of one letter', { nonce: 'n' }],
    ['no parameter that is empty', { prompt: '', max_age: '', id_token_hint: '', code_challenge: '', response_mode: '', request: '' }],
  ])('but not for %s', async (_what, more) => {
    expect((await begin(more)).location).toMatch(/\/login\?login_challenge=/);
  });
});
