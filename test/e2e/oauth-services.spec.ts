import { ClientService } from '../../src/access/oauth/index.js';
import { AccessPauseService, UserService } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';

const RESOURCE = 'https://rates.example.test/v1';
const OTHER = 'https://other.example.test/';
const INACTIVE = '{"active":false}';
const SCOPES = ['rates:read', 'rates.write'];

let server: TestApp;
let fixture: Fixture;
let alice: Person;
/** An app of a person; a service of the operator; and a program of the operator that calls the service. */
let shop: OAuthApp;
let rates: OAuthApp;
let robot: OAuthApp;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_TOKEN_ADDRESS: '10000/60', THROTTLE_TOKEN_CLIENT: '10000/60' } });
  fixture = new Fixture(server);
  alice = await fixture.user();
  shop = await newOAuthApp(server);
  rates = await (await newOAuthApp(server)).profile({ resource: RESOURCE });
  robot = await (await newOAuthApp(server)).profile({ serviceScopes: SCOPES });
});
afterAll(() => server.close());

const api = (): string => `${server.url}/graphql`;
const connect = (person: Person, more: Record<string, string> = {}, app = shop): Promise<Required<Tokens>> =>
  app.connect(person, { scope: 'read offline', ...more }, new BrowserSession(server.url)) as Promise<Required<Tokens>>;
const serviceToken = (more: Record<string, string> = {}): Promise<HttpAnswer> =>
  robot.token({ grant_type: 'client_credentials', scope: 'rates:read', resource: RESOURCE, ...more });
const bothWays = (token: string): Record<string, string>[] => [{ 'oauth2-token': token }, { authorization: `Bearer ${token}` }];
const now = (): number => Math.floor(Date.now() / 1000);

describe('POST /oauth2/introspect', () => {
  it('shows a client its own tokens', async () => {
    const tokens = await connect(alice);
    const answer = await shop.introspect(tokens.access_token);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(['content-type', 'cache-control', 'pragma'].map((name) => [name, answer.headers.get(name)]))).toEqual({
      'content-type': 'application/json;charset=UTF-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    const { iat, exp, ...claims } = answer.body as Record<string, number>;
    const common = { active: true, iss: server.url, client_id: shop.client.id, sub: alice.userId, scope: 'read offline' };
    expect(claims).toEqual({ ...common, nbf: iat, aud: [api()], token_type: 'Bearer', token_use: 'access_token' });
    expect(Math.abs((iat ?? 0) - now())).toBeLessThan(60);
    expect((exp ?? 0) - (iat ?? 0)).toBe(3_600);
    const { iat: since, exp: _end, ...ofRefresh } = (await shop.introspect(tokens.refresh_token)).body as Record<string, number>;
    expect(ofRefresh).toEqual({ ...common, nbf: since, token_use: 'refresh_token' });
  });

  it('shows a service the access tokens that are for it, and nothing else', async () => {
    const [forIt, forApi] = [await connect(alice, { resource: RESOURCE }), await connect(alice)];
    const browser = new BrowserSession(server.url);
    const both = `${shop.authorizeUrl({ resource: RESOURCE })}&resource=${encodeURIComponent(api())}`;
    const back = await shop.allow(alice, await browser.get(both), browser);
    const forBoth = (await shop.exchange(new URL(back).searchParams.get('code') ?? '')).body as Tokens;
    expect((await rates.introspect(forIt.access_token)).body).toMatchObject({ active: true, aud: [RESOURCE], sub: alice.userId });
    expect((await rates.introspect(forBoth.access_token)).body).toMatchObject({ active: true, aud: [RESOURCE, api()] });
    for (const token of [forIt.refresh_token, forApi.access_token, forApi.refresh_token])
      expect((await rates.introspect(token)).text).toBe(INACTIVE);
    const stranger = await (await newOAuthApp(server)).profile({ resource: OTHER });
    for (const token of [forIt.access_token, forApi.access_token]) expect((await stranger.introspect(token)).text).toBe(INACTIVE);
  });

  it('leaves out scopes that the client has lost, and their budget', async () => {
    const app = await newOAuthApp(server);
    const details = [{ type: 'wallet_budget', currency: 'SAT', max_amount: 1_000, period: 'day' }];
    const { access_token: token } = await connect(alice, { scope: 'read write', authorization_details: JSON.stringify(details) }, app);
    expect((await app.introspect(token)).body).toMatchObject({ scope: 'read write', authorization_details: details });
    await server.pool.query(`UPDATE oauth_client SET scopes = '{read}' WHERE id = $1`, [app.client.id]);
    const { body } = await app.introspect(token);
    expect(body).toMatchObject({ active: true, scope: 'read' });
    expect(body).not.toHaveProperty('authorization_details');
  });

  it.each(['sluice_at_unknown', 'nonsense', 'a\0b', `sluice_at_${'0'.repeat(49)}`, 'ey.J.x', 'å'])('%j is inactive', async (token) => {
    const answer = await shop.introspect(token);
    expect([answer.status, answer.text]).toEqual([200, INACTIVE]);
  });

  it('other kinds of secrets are inactive', async () => {
    const code = await shop.code(alice, { scope: 'openid read' }, new BrowserSession(server.url));
    const { id_token: idToken } = await connect(alice, { scope: 'openid read' });
    for (const token of [code, idToken, shop.secret, alice.keys.all]) expect((await shop.introspect(token)).text).toBe(INACTIVE);
  });

  it.each<[string, (person: Person, app: OAuthApp, tokens: Required<Tokens>) => Promise<unknown>]>([
    ['its grant is revoked', (_person, app, { refresh_token: token }) => app.revoke(token)],
    ['its client is suspended', (_person, app) => server.get(ClientService).suspend(app.client.id)],
    ['its person has paused access', ({ userId }) => server.get(AccessPauseService).pause(userId, 'owner')],
    ['its person is disabled', ({ userId }) => server.get(UserService).setDisabled(userId, true, () => Promise.resolve())],
    ['its grant is gone', ({ userId }) => server.pool.query('DELETE FROM oauth_grant WHERE user_id = $1', [userId])],
    [
      'it has expired',
      ({ userId }) =>
        server.pool.query(
          `UPDATE oauth_access_token SET expires_at = now() WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = $1)`,
          [userId],
        ),
    ],
  ])('is inactive at once when %s', async (_what, end) => {
    const [person, app] = [await fixture.user(), await newOAuthApp(server)];
    const tokens = await connect(person, { resource: RESOURCE }, app);
    expect((await rates.introspect(tokens.access_token)).body.active).toBe(true);
    await end(person, app, tokens);
    expect((await rates.introspect(tokens.access_token)).text).toBe(INACTIVE);
  });

  it('a refresh token is inactive once it is used', async () => {
    const { refresh_token: token } = await connect(alice);
    const next = (await shop.refresh(token)).body as Required<Tokens>;
    expect((await shop.introspect(token)).text).toBe(INACTIVE);
    expect((await shop.introspect(next.refresh_token)).body.active).toBe(true);
  });

  it('is for clients with credentials of their own', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    const ids: Record<string, string>[] = [
      {},
      { client_id: native.client.id },
      { client_id: shop.client.id },
      { client_id: shop.client.id, client_secret: 'x' },
    ];
    for (const more of ids) {
      const answer = await request(`${server.url}/oauth2/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ token: 'x', ...more }),
      });
      expect([answer.status, answer.body.error, answer.headers.get('access-control-allow-origin')]).toEqual([401, 'invalid_client', null]);
    }
  });
});

describe('grant_type=client_credentials', () => {
  it('gives a token that the named service sees, without a person and without a refresh token', async () => {
    const { status, body } = await serviceToken();
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^sluice_at_/) as string,
        token_type: 'bearer',
        expires_in: expect.any(Number) as number,
        scope: 'rates:read',
      },
    ]);
    const { access_token: token, expires_in: seconds } = body as Tokens;
    expect(seconds).toBeGreaterThan(3_590);
    for (const who of [rates, robot]) {
      const { iat: _iat, nbf: _nbf, exp: _exp, ...claims } = (await who.introspect(token)).body as Record<string, unknown>;
      const fixed = { active: true, iss: server.url, token_type: 'Bearer', token_use: 'access_token' };
      expect(claims).toEqual({ ...fixed, client_id: robot.client.id, scope: 'rates:read', aud: [RESOURCE] });
    }
    expect((await shop.introspect(token)).text).toBe(INACTIVE);
  });

  it('A-32: its token is no credential of the wallet', async () => {
    const { access_token: token } = (await serviceToken()).body as Tokens;
    for (const as of bothWays(token)) expect((await post(api(), { query: '{ __typename }' }, as)).status).toBe(401);
    expect((await shop.userinfo(token)).status).toBe(401);
    expect((await robot.refresh(token)).body.error).toBe('invalid_grant');
  });

  it.each<[string, Record<string, string>, string]>([
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['another scope', { scope: 'rates:admin' }, 'invalid_scope'],
    ['a wallet scope', { scope: 'rates:read read' }, 'invalid_scope'],
    ['openid', { scope: 'openid' }, 'invalid_scope'],
    ['offline', { scope: 'rates:read offline_access' }, 'invalid_scope'],
    ['no resource', { resource: '' }, 'invalid_target'],
    ['an unknown resource', { resource: 'https://unknown.example.test/' }, 'invalid_target'],
  ])('refuses %s', async (_what, more, error) => {
    const answer = await serviceToken(more);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('A-30: refuses scopes of people, also where the operator has named them, and the API as resource', async () => {
    const wrong = await (await newOAuthApp(server)).profile({ serviceScopes: ['write', 'read', 'openid', 'offline'] });
    for (const scope of ['write', 'read', 'openid', 'offline', 'write read'])
      expect((await wrong.token({ grant_type: 'client_credentials', scope, resource: RESOURCE })).body.error).toBe('invalid_scope');
    expect((await serviceToken({ resource: api() })).body.error).toBe('invalid_target');
  });

  it('is for confidential clients with service scopes', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    for (const app of [shop, native])
      expect((await app.token({ grant_type: 'client_credentials', scope: 'rates:read' })).body.error).toBe('unauthorized_client');
  });

  it.each<[string, (token: string) => Promise<unknown>]>([
    ['it is revoked', (token) => robot.revoke(token)],
    ['the operator takes the scope away', () => robot.profile({ serviceScopes: ['other'] })],
    ['it is reported as leaked', (token) => post(`${server.url}/oauth2/report-leak`, [token])],
    ['the client is suspended', () => server.get(ClientService).suspend(robot.client.id)],
    ['the operator has paused all access', () => server.get(AccessPauseService).pause(null, 'operator')],
  ])('its token is inactive at once when %s', async (_what, end) => {
    const { access_token: token } = (await serviceToken()).body as Tokens;
    await shop.revoke(token); // of another client
    expect((await rates.introspect(token)).body.active).toBe(true);
    await end(token);
    expect((await rates.introspect(token)).text).toBe(INACTIVE);
    await server.get(ClientService).resume(robot.client.id);
    await server.pool.query('DELETE FROM access_pause');
    await robot.profile({ serviceScopes: SCOPES });
  });

  it('the database holds that a token has a grant or a client', async () => {
    const values = `sha256('x'), '{a}', now()`;
    for (const owners of [`NULL, NULL`, `(SELECT id FROM oauth_grant LIMIT 1), '${robot.client.id}'`])
      await expect(
        server.pool.query(`INSERT INTO oauth_access_token (grant_id, client_id, hash, scopes, expires_at) VALUES (${owners}, ${values})`),
      ).rejects.toThrow('oauth_access_token_owner');
  });
});

describe('bad input', () => {
  const form = (path: string, body: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    request(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: robot.basic, ...headers },
      body,
    });
  const GOOD: Record<string, string> = {
    '/oauth2/introspect': 'token=x',
    '/oauth2/token': `grant_type=client_credentials&scope=rates%3Aread&resource=${encodeURIComponent(RESOURCE)}`,
  };
  const big = 'x'.repeat(17_000);

  it.each<[string, string, string, string, Record<string, string>?]>([
    ['introspect, no token', '/oauth2/introspect', '', 'invalid_request'],
    ['introspect, an empty token', '/oauth2/introspect', 'token=', 'invalid_request'],
    ['introspect, two tokens', '/oauth2/introspect', 'token=a&token=b', 'invalid_request'],
    ['introspect, an array', '/oauth2/introspect', 'token[]=a', 'invalid_request'],
    ['introspect, a long token', '/oauth2/introspect', `token=${big}`, 'invalid_request'],
    ['introspect, a token in the address', '/oauth2/introspect?token=x', 'token=x', 'invalid_request'],
    ['introspect, a NUL beside it', '/oauth2/introspect', 'token=x&token_type_hint=%00', 'invalid_request'],
    ['introspect, JSON', '/oauth2/introspect', '{"token":"x"}', 'invalid_request', { 'content-type': 'application/json' }],
    ['introspect, no type', '/oauth2/introspect', 'token=x', 'invalid_request', { 'content-type': 'text/plain' }],
    ['token, two scopes', '/oauth2/token', '$&scope=a', 'invalid_request'],
    ['token, an array', '/oauth2/token', 'grant_type[]=client_credentials', 'invalid_request'],
    ['token, no grant type', '/oauth2/token', 'scope=a', 'invalid_request'],
    ['token, a NUL in the scope', '/oauth2/token', 'grant_type=client_credentials&scope=%00', 'invalid_request'],
    ['token, a scope of other characters', '/oauth2/token', 'grant_type=client_credentials&scope=%22', 'invalid_scope'],
    ['token, a long scope', '/oauth2/token', `grant_type=client_credentials&scope=${'a'.repeat(1_001)}`, 'invalid_scope'],
    ['token, a resource that is none', '/oauth2/token', '$&resource=%zz', 'invalid_target'],
    [
      'token, eleven resources',
      '/oauth2/token',
      `$${Array.from({ length: 11 }, (_, i) => `&resource=https://${i}.test`).join('')}`,
      'invalid_target',
    ],
    ['token, JSON', '/oauth2/token', '{"grant_type":"client_credentials"}', 'invalid_request', { 'content-type': 'application/json' }],
  ])('%s', async (...[, path, body, error, headers]) => {
    const answer = await form(path, body.replace('$', GOOD[path] ?? ''), headers);
    expect([answer.status, answer.body]).toEqual([400, { error, error_description: expect.any(String) as string }]);
    expect(answer.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get('location')).toBeNull();
  });

  it.each(['%zz', '%', '%ff%fe', '+', ' ', '<script>', "'; DROP TABLE oauth_grant; --"])('a token %j is inactive', async (token) => {
    const answer = await form('/oauth2/introspect', `token=${token}`, {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-16',
    });
    expect([answer.status, answer.text]).toEqual([200, INACTIVE]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('%s is not allowed', async (method) => {
    const answer = await request(`${server.url}/oauth2/introspect`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('the API as a protected resource (RFC 9728)', () => {
  it.each(['/.well-known/oauth-protected-resource/graphql', '/.well-known/oauth-protected-resource'])('%s describes it', async (path) => {
    const { status, headers, body } = await request(`${server.url}${path}`);
    expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      'application/json;charset=UTF-8',
      'public, max-age=300',
      '*',
    ]);
    expect(body).toEqual({
      resource: api(),
      authorization_servers: [server.url],
      scopes_supported: ['read', 'receive', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Sluice',
      resource_documentation: `${server.url}/docs/api.md`,
    });
  });

  it('a refused credential leads there', async () => {
    const refused = await post(api(), { query: '{ me { id } }' }, { authorization: 'Bearer sluice_at_x' });
    expect([refused.status, refused.headers.get('access-control-expose-headers')]).toEqual([
      401,
      expect.stringContaining('WWW-Authenticate'),
    ]);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const at = `${server.url}/.well-known/oauth-protected-resource/graphql`;
    expect(challenge).toBe(`Bearer realm="sluice", error="invalid_token", resource_metadata="${at}"`);
    expect((await request(at)).body.resource).toBe(api());
    // An answer of 200 has no challenge.
    expect((await post(api(), { query: '{ me { id } }' })).headers.get('www-authenticate')).toBeNull();
  });

  it('A-32: a token for another service is refused there; its person is still known to userinfo', async () => {
    const { access_token: token } = await connect(alice, { resource: RESOURCE });
    for (const as of bothWays(token)) expect((await post(api(), { query: '{ __typename }' }, as)).status).toBe(401);
    const raw = await RawSocket.open(server.url);
    raw.send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } });
    expect((await raw.closed).code).toBe(4401);
    expect((await shop.userinfo(token)).body).toEqual({ sub: alice.userId });
    const { access_token: ours } = await connect(alice, { resource: api() });
    expect((await graphql(server.url, '{ me { id } }', {}, { authorization: `Bearer ${ours}` })).data?.me).toEqual({ id: alice.userId });
  });
});
