import { AdvisoryLock } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { OAuthCleanupJob } from '../../src/access/oauth/cleanup.job.js';
import { BrowserSession } from '../support/browser-session.js';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const dies = (accessToken: string): Promise<unknown> => eventually(async () => !(await works(accessToken)));

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

const WAITING_FOR_TURN = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${AdvisoryLock.signingKeys} AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('POST /oauth2/revoke', () => {
  const connect = (): Promise<Required<Tokens>> => shop.connect(alice, { scope: 'read offline' }) as Promise<Required<Tokens>>;

  it.each(['refresh_token', 'access_token'] as const)('revokes the grant by its %s', async (kind) => {
    const tokens = await connect();
    expect(await works(tokens.access_token)).toBe(true);
    const answer = await shop.revoke(tokens[kind]);
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([200, '{}', 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    await dies(tokens.access_token);
    expect((await shop.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('accepts a rotated token, and any token_type_hint', async () => {
    const tokens = await connect();
    const next = (await shop.refresh(tokens.refresh_token)).body;
    expect((await shop.revoke(tokens.refresh_token, { token_type_hint: 'access_token' })).status).toBe(200);
    await dies(next.access_token);
    expect((await shop.revoke(next.refresh_token, { token_type_hint: 'nonsense' })).status).toBe(200);
  });

  it.each(['sluice_rt_unknown', 'nonsense', 'a\0b', `sluice_at_${'0'.repeat(49)}`])('answers the same for %s', async (token) => {
    const answer = await shop.revoke(token);
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  });

  it('does not revoke tokens of other clients, and logs the attempt', async () => {
    const other = await newOAuthApp(server);
    const tokens = await connect();
    expect((await other.revoke(tokens.refresh_token)).status).toBe(200);
    expect((await shop.refresh(tokens.refresh_token)).status).toBe(200);
    expect(server.logs.some((line) => line.includes('oauth_revocation_rejected'))).toBe(true);
  });

  it('refuses malformed requests', async () => {
    expect((await shop.revoke('')).body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    expect((await shop.revoke('ey.J.x')).body.error).toBe('unsupported_token_type');
    const stranger = await fetch(`${server.url}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) });
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, `Basic realm="${server.url}", charset="UTF-8"`]);
    const get = await fetch(`${server.url}/oauth2/revoke`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('identifies public clients by client_id', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    const tokens = (await native.connect(alice, { scope: 'read offline' })) as Required<Tokens>;
    expect((await native.revoke(tokens.refresh_token)).status).toBe(200);
    await dies(tokens.access_token);
  });
});

describe('/userinfo', () => {
  let token: string;

  beforeAll(async () => {
    token = (await shop.connect(alice, { scope: 'read' })).access_token;
  });

  const userinfo = (init: RequestInit = {}, query = ''): ReturnType<typeof request> => request(`${server.url}/userinfo${query}`, init);

  it.each([
    ['GET with a header', { headers: { authorization: 'Bearer $' } }],
    ['POST with a header', { method: 'POST', headers: { authorization: 'bearer  $' } }],
    ['POST with a form', { method: 'POST', body: new URLSearchParams({ access_token: '$' }) }],
  ] as readonly (readonly [string, RequestInit])[])('returns sub, without openid too: %s', async (_what, init) => {
    const filled = JSON.parse(JSON.stringify(init.headers ?? {}).replace('$', token)) as Record<string, string>;
    const body = init.body ? new URLSearchParams({ access_token: token }) : undefined;
    const answer = await userinfo({ ...init, headers: filled, ...(body && { body }) });
    expect([answer.status, answer.body]).toEqual([200, { sub: alice.userId }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each([
    ['profile', ['preferred_username', 'name']],
    ['email', ['email', 'email_verified']],
    ['openid profile email', ['preferred_username', 'name', 'email', 'email_verified']],
    ['openid read', []],
  ])('has the claims of the scopes, as the ID token does: %s', async (scope, names) => {
    const site = await newOAuthApp(server, { scopes: ['openid', 'read', 'profile', 'email', 'offline'] });
    const all = { preferred_username: alice.username, name: alice.username, email: alice.email, email_verified: false };
    const claims = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    const tokens = await site.connect(alice, { scope: `${scope} offline` });
    expect((await site.userinfo(tokens.access_token)).body).toEqual({ sub: alice.userId, ...claims });
    const refreshed = (await site.refresh(tokens.refresh_token ?? '')).body as Tokens;
    for (const { id_token: idToken } of [tokens, refreshed]) {
      const told = idToken === undefined ? {} : decodeJwt(idToken);
      expect(Object.fromEntries(Object.entries(told).filter(([name]) => name in all))).toEqual(idToken === undefined ? {} : claims);
    }
  });

  it('says that an e-mail address is verified once it is', async () => {
    const bob = await new Fixture(server).user();
    const site = await newOAuthApp(server, { scopes: ['email'] });
    const { access_token: his } = await site.connect(bob, { scope: 'email' });
    await server.pool.query('UPDATE app_user SET email_verified_at = now() WHERE id = $1', [bob.userId]);
    expect((await site.userinfo(his)).body).toEqual({ sub: bob.userId, email: bob.email, email_verified: true });
  });

  it('answers 401 without an error code when there is no token', async () => {
    const answer = await userinfo();
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${server.url}"`]);
  });

  it('refuses texts that are no access token', async () => {
    const tokens = await shop.connect(alice, { scope: 'read offline openid' });
    for (const wrong of ['x', `${token}x`, tokens.refresh_token, tokens.id_token, alice.keys.all, 'a b', '']) {
      const answer = await userinfo({ headers: { authorization: `Bearer ${wrong}` } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${server.url}", error="invalid_token"`]);
    }
    expect((await userinfo({ headers: { authorization: `Basic ${token}` } })).status).toBe(401);
  });

  it('accepts one token, and none in the address', async () => {
    expect((await userinfo({}, `?access_token=${token}`)).status).toBe(400);
    expect((await userinfo({ headers: { authorization: `Bearer ${token}` } }, `?access_token=${token}`)).status).toBe(400);
    const twice = await userinfo({
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ access_token: token }),
    });
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  it('ignores the Oauth2-Token header of the wallet API', async () => {
    expect((await userinfo({ headers: { 'oauth2-token': token } })).status).toBe(401);
  });
});

describe('the cleanup of OAuth', () => {
  let shop: OAuthApp;

  beforeEach(async () => {
    shop = await newOAuthApp(server);
  });

  const TABLES = [
    'oauth_pushed_request',
    'oauth_interaction',
    'oauth_code',
    'oauth_access_token',
    'oauth_refresh_token',
    'oauth_grant',
  ] as const;
  const OF_CLIENT = 'grant_id IN (SELECT id FROM oauth_grant WHERE client_id = $1)';

  /** The number of rows of this client, by table. */
  async function rows(): Promise<Record<string, number>> {
    const counted = TABLES.map(async (table) => {
      const condition = table === 'oauth_access_token' ? OF_CLIENT : 'client_id = $1';
      const { rows: found } = await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${condition}`, [
        shop.client.id,
      ]);
      return [table.slice('oauth_'.length), found[0]?.n ?? 0] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  }

  /** Makes all rows of this client older by `days`. */
  async function age(days: number): Promise<void> {
    const older = (table: string, columns: readonly string[], condition = 'client_id = $1'): Promise<unknown> =>
      server.pool.query(
        `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - make_interval(days => $2)`).join(', ')} WHERE ${condition}`,
        [shop.client.id, days],
      );
    await older('oauth_pushed_request', ['expires_at']);
    await older('oauth_interaction', ['created_at', 'expires_at']);
    await older('oauth_code', ['created_at', 'expires_at']);
    await older('oauth_access_token', ['created_at', 'expires_at'], OF_CLIENT);
    await older('oauth_refresh_token', ['created_at', 'expires_at', 'used_at', 'replay_until']);
    await older('oauth_grant', ['created_at', 'absolute_expires_at', 'revoked_at', 'write_asked_at']);
  }
  const sweep = (): Promise<void> => server.get(OAuthCleanupJob).sweep();

  it('deletes expired rows, and keeps those that a client may still use', async () => {
    const { refresh_token: token = '' } = await shop.connect(alice, { scope: 'read offline' });
    await shop.refresh(token);
    await shop.push();
    await sweep();
    expect(await rows()).toEqual({ pushed_request: 1, interaction: 1, code: 1, access_token: 2, refresh_token: 2, grant: 1 });
    await age(2);
    await sweep();
    // Used refresh tokens stay as long as their grant.
    expect(await rows()).toEqual({ pushed_request: 0, interaction: 0, code: 0, access_token: 0, refresh_token: 2, grant: 1 });
    await age(364);
    await sweep();
    expect(await rows()).toMatchObject({ refresh_token: 2, grant: 1 });
    await age(31);
    await sweep();
    expect(await rows()).toMatchObject({ refresh_token: 0, grant: 0 });
  });

  it('keeps revoked grants for a month', async () => {
    const tokens = await shop.connect(alice, { scope: 'read offline' });
    await shop.revoke(tokens.access_token);
    await age(29);
    await sweep();
    expect(await rows()).toMatchObject({ refresh_token: 1, grant: 1 });
    await age(2);
    await sweep();
    expect(await rows()).toMatchObject({ refresh_token: 0, grant: 0 });
  });

  it('keeps one of several equal prior consents, so that no person is asked again', async () => {
    const browser = new BrowserSession(server.url);
    for (let i = 0; i < 3; i++) await shop.connect(alice, { scope: 'read receive' }, browser);
    await shop.connect(alice, { scope: 'read' }, browser);
    expect(await rows()).toMatchObject({ grant: 4 });
    await age(31);
    await sweep();
    // The newest grant with both scopes stays, and the later one with fewer scopes.
    expect(await rows()).toMatchObject({ grant: 2 });
    expect((await browser.get(shop.authorizeUrl({ scope: 'read receive' }))).location).toContain('code=');
  });

  it('deletes in batches', async () => {
    await server.pool.query(
      `INSERT INTO oauth_interaction (id, challenge_hash, binding_hash, client_id, request, expires_at)
       SELECT gen_random_uuid(), sha256(n::text::bytea), '\\x00', $1, '{}', now() - interval '2 days' FROM generate_series(1, 1200) AS n`,
      [shop.client.id],
    );
    await sweep();
    expect(await rows()).toMatchObject({ interaction: 0 });
  });
});

describe('openid-client 6', () => {
  let shop: OAuthApp;

  beforeAll(async () => {
    shop = await newOAuthApp(server, { requirePkce: true });
  });

  /** openid-client 6, configured as its README says. */
  const configured = (): Promise<oidc.Configuration> =>
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as to stand out; plain http is for tests
    oidc.discovery(new URL(server.url), shop.client.id, shop.secret, undefined, { execute: [oidc.allowInsecureRequests] });

  async function callback(config: oidc.Configuration, app = shop): Promise<{ url: URL; checks: oidc.AuthorizationCodeGrantChecks }> {
    const [pkceCodeVerifier, expectedState, expectedNonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: app.redirectUri,
      scope: 'openid read write offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const browser = new BrowserSession(server.url);
    const back = await app.allow(alice, await browser.get(url.href), browser);
    return { url: new URL(back), checks: { pkceCodeVerifier, expectedState, expectedNonce } };
  }

  it('A-15: openid-client refuses a response with another issuer', async () => {
    const config = await configured();
    const { url, checks } = await callback(config);
    url.searchParams.set('iss', 'https://evil.example');
    await expect(oidc.authorizationCodeGrant(config, url, checks)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('"iss"') }),
    });
  });
});

/** Behind all that reads the log, which the other applications of these tests take over. */
describe('discovery', () => {
  const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
  const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '%s lists the supported features',
    async (path) => {
      const { status, headers, body } = await request(`${server.url}${path}`);
      const at = (place: string): string => `${server.url}${place}`;
      expect(status).toBe(200);
      expect(body).toEqual({
        issuer: server.url,
        authorization_endpoint: at('/oauth2/auth'),
        token_endpoint: at('/oauth2/token'),
        userinfo_endpoint: at('/userinfo'),
        end_session_endpoint: at('/oauth2/sessions/logout'),
        jwks_uri: at('/.well-known/jwks.json'),
        revocation_endpoint: at('/oauth2/revoke'),
        introspection_endpoint: at('/oauth2/introspect'),
        scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'offline', 'offline_access', 'read', 'receive', 'write']),
        response_types_supported: ['code'],
        pushed_authorization_request_endpoint: at('/oauth2/par'),
        require_pushed_authorization_requests: false,
        response_modes_supported: ['query', 'form_post'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
        token_endpoint_auth_methods_supported: METHODS,
        token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        revocation_endpoint_auth_methods_supported: METHODS,
        revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'],
        acr_values_supported: ['1', '2'],
        introspection_endpoint_auth_methods_supported: METHODS.filter((method) => method !== 'none'),
        introspection_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        code_challenge_methods_supported: ['S256'],
        claims_supported: expect.arrayContaining([
          ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'],
          ...['preferred_username', 'name', 'email', 'email_verified'],
        ]),
        prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: false,
        authorization_response_iss_parameter_supported: true,
        authorization_details_types_supported: ['wallet_budget'],
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
      });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('lists endpoints that exist', async () => {
    const { body } = await request(`${server.url}/.well-known/openid-configuration`);
    for (const [name, url] of Object.entries(body as Record<string, string>).filter(([key]) => /_endpoint$|_uri$/.test(key))) {
      expect([name, (await request(url, { method: 'POST' })).status]).not.toEqual([name, 404]);
    }
  });

  it('answers HEAD, and refuses other methods', async () => {
    expect((await request(`${server.url}/.well-known/openid-configuration`, { method: 'HEAD' })).status).toBe(200);
    const answer = await request(`${server.url}/.well-known/jwks.json`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('/.well-known/jwks.json', () => {
  it('contains public keys, and no private part', async () => {
    const { headers, body } = await request(`${server.url}/.well-known/jwks.json`);
    const common = { use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) };
    const text = expect.any(String) as string;
    // RS256 first, for software that does not look for a key id.
    expect(body.keys).toEqual([
      { kty: 'RSA', alg: 'RS256', n: text, e: 'AQAB', ...common },
      { kty: 'EC', alg: 'ES256', crv: 'P-256', x: text, y: text, ...common },
      { kty: 'OKP', alg: 'EdDSA', crv: 'Ed25519', x: text, ...common },
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('is the same on every process, also after simultaneous first requests', async () => {
    const one = await createTestApp();
    const beside = await createTestApp({ beside: one });
    try {
      const sets = await Promise.all([one, beside, one, beside].map(({ url }) => request(`${url}/.well-known/jwks.json`)));
      expect(new Set(sets.map(({ text }) => text)).size).toBe(1);
    } finally {
      await beside.close();
      await one.close();
    }
  });

  it('contains the keys that another process created while this one waited for the lock', async () => {
    const one = await createTestApp();
    const { keys } = (await request(`${one.url}/.well-known/jwks.json`)).body;
    const { rows } = await one.pool.query('DELETE FROM signing_key RETURNING kid, public_jwk, private_box');
    const waiting = await createTestApp({ beside: one });
    const other = await one.pool.connect();
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${AdvisoryLock.signingKeys})`);
      const answer = request(`${waiting.url}/.well-known/jwks.json`);
      await eventually(async () => (await one.pool.query(WAITING_FOR_TURN)).rowCount);
      for (const { kid, public_jwk: jwk, private_box: box } of rows)
        await other.query('INSERT INTO signing_key (kid, public_jwk, private_box, signs_from) VALUES ($1, $2, $3, clock_timestamp())', [
          kid,
          JSON.stringify(jwk),
          box,
        ]);
      await other.query('COMMIT');
      expect((await answer).body.keys).toEqual(keys);
    } finally {
      other.release();
      await waiting.close();
      await one.close();
    }
  });
});
