import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type RegisteredApp, type Tokens, CALLBACK, OAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { DEFAULT_PROFILE } from '../../src/access/oauth/application/client-profile.js';
import { UserService } from '../../src/access/user/index.js';
import { mintToken } from '../../src/platform/kernel/token.js';
import { ApplicationCredentials, ApplicationService, ClientService } from '../../src/access/oauth/index.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
let clients: ClientService;

beforeAll(async () => {
  // This file sends wrong requests on purpose; attack/rows/own.ts tests the limits.
  server = await createTestApp({ env: { THROTTLE_TOKEN_ADDRESS: '1000/60', THROTTLE_TOKEN_CLIENT: '1000/60' } });
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
  clients = server.get(ClientService);
});
afterAll(() => server.close());

const me = async (accessToken: string): Promise<unknown> =>
  (await graphql(server.url, '{ me { username } }', {}, { 'oauth2-token': accessToken })).data;
const refused = (answer: HttpAnswer): readonly [number, string] => [answer.status, answer.body.error];
const form = (body: string, headers: Readonly<Record<string, string>> = {}, query = ''): Promise<HttpAnswer> =>
  request(`${server.url}/oauth2/token${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

describe('POST /oauth2/token, grant_type=authorization_code', () => {
  it('returns an access token as in RFC 6749 section 5.1', async () => {
    const answer = await shop.exchange(await shop.code(alice, { scope: 'read' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^sluice_at_[0-9A-Za-z]{49}$/),
      token_type: 'bearer',
      expires_in: expect.any(Number),
      scope: 'read',
    });
    expect(answer.body.expires_in).toBeGreaterThanOrEqual(3_590);
    expect(answer.body.expires_in).toBeLessThan(3_600);
    expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await me(answer.body.access_token)).toEqual({ me: { username: alice.username } });
  });

  it.each(['offline', 'offline_access'])('returns a refresh token with %s, and the scope as requested', async (scope) => {
    const app = await newOAuthApp(server, { scopes: ['read', scope] });
    const tokens = await app.connect(alice, { scope: `read ${scope}` });
    expect(tokens).toMatchObject({ scope: `read ${scope}`, refresh_token: expect.stringMatching(/^sluice_rt_[0-9A-Za-z]{49}$/) });
  });

  it.each([
    ['a password', ['pwd'], '1', ['pwd']],
    ['a password and a code', ['pwd', 'otp', 'mfa'], '2', ['pwd', 'otp', 'mfa']],
    ['a passkey', ['pop', 'mfa'], '2', ['pop', 'mfa']],
    ['the company, which does not say how', [], '1', undefined],
  ])('says in the ID token how the person signed in, also after a refresh: by %s', async (_what, session, acr, amr) => {
    const browser = new BrowserSession(server.url);
    await shop.code(alice, {}, browser);
    await server.pool.query('UPDATE session SET amr = $2 WHERE user_id = $1', [alice.userId, session]);
    const tokens = await shop.connect(alice, { scope: 'openid offline', prompt: 'consent' }, browser);
    await server.pool.query(`UPDATE session SET amr = '{x}' WHERE user_id = $1`, [alice.userId]);
    const again = (await shop.refresh(tokens.refresh_token ?? '')).body as Tokens;
    for (const { id_token: idToken = '' } of [tokens, again]) {
      const { acr: level, amr: methods } = decodeJwt(idToken);
      expect([level, methods]).toEqual([acr, amr]);
    }
  });

  it('returns an ID token with openid, and none without it', async () => {
    const code = await shop.code(alice, { scope: 'openid read', nonce: 'n-0S6_WzA2Mj' });
    const tokens = (await shop.exchange(code)).body as Tokens;
    const keys = (await request(`${server.url}/.well-known/jwks.json`)).body;
    const idToken = tokens.id_token ?? '';
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), { issuer: server.url, audience: shop.client.id });
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: 'RS256', typ: 'JWT', kid: keys.keys[0].kid });
    expect(payload).toMatchObject({
      sub: alice.userId,
      nonce: 'n-0S6_WzA2Mj',
      auth_time: expect.any(Number),
      sid: expect.any(String),
      at_hash: expect.any(String),
    });
    expect((await shop.connect(alice, { scope: 'read' })).id_token).toBeUndefined();
  });

  it('accepts client_secret_post, and Basic in both encodings', async () => {
    const { id } = shop.client;
    const grant = async (): Promise<string> =>
      `grant_type=authorization_code&redirect_uri=${encodeURIComponent(shop.redirectUri)}&code=${await shop.code(alice)}`;
    expect((await form(`${await grant()}&client_id=${id}&client_secret=${shop.secret}`)).status).toBe(200);
    const encode = (text: string): string => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    const encoded = Buffer.from(`${encode(id)}:${encode(shop.secret)}`).toString('base64');
    expect((await form(await grant(), { authorization: `Basic ${encoded}` })).status).toBe(200);
    expect((await form(`${await grant()}&client_id=${id}`, { authorization: shop.basic.replace('Basic ', 'basic  ') })).status).toBe(200);
  });

  it('accepts public clients by PKCE alone, also with Basic and an empty secret', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['http://127.0.0.1/cb'] });
    const redirect = { redirect_uri: 'http://127.0.0.1:51004/cb' };
    expect((await native.exchange(await native.code(alice, redirect), redirect)).status).toBe(200);
    const code = await native.code(alice, redirect);
    const basic = `Basic ${Buffer.from(`${native.client.id}:`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: native.pkce.verifier, ...redirect });
    expect((await form(body.toString(), { authorization: basic })).status).toBe(200);
  });

  it('does not require redirect_uri with PKCE, and requires it without', async () => {
    const careful = await newOAuthApp(server, { requirePkce: true });
    expect((await careful.exchange(await careful.code(alice), { redirect_uri: undefined })).status).toBe(200);
    expect(refused(await shop.exchange(await shop.code(alice), { redirect_uri: undefined }))).toEqual([400, 'invalid_grant']);
  });

  const wrong: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string])[] = [
    ['no code', { code: undefined }, 'invalid_request'],
    ['an empty code', { code: '' }, 'invalid_request'],
    ['a code that is none', { code: 'sluice_ac_x' }, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: 'https://app.example.test/callback/' }, 'invalid_grant'],
    ['a code with a NUL', { code: 'a\0b' }, 'invalid_grant'],
    ['a verifier with a NUL', { code_verifier: 'v\0'.repeat(30) }, 'invalid_grant'],
    ['a verifier that nothing was made of', { code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
  ];
  it.each(wrong)('refuses %s', async (_what, more, error) => {
    expect(refused(await shop.exchange(await shop.code(alice), more))).toEqual([400, error]);
  });

  it('refuses a refresh token with a NUL like any unknown one', async () => {
    expect(refused(await shop.refresh('a\0b'))).toEqual([400, 'invalid_grant']);
  });

  it('refuses a code after a minute', async () => {
    const code = await shop.code(alice);
    await server.pool.query(`UPDATE oauth_code SET expires_at = expires_at - interval '61 seconds' WHERE used_at IS NULL`);
    expect(refused(await shop.exchange(code))).toEqual([400, 'invalid_grant']);
  });

  it('keeps a code whose tokens could not be stored, and the app’s connection', async () => {
    const code = await shop.code(alice);
    const locking = await server.pool.connect();
    await locking.query('BEGIN; LOCK TABLE oauth_access_token IN ACCESS EXCLUSIVE MODE');
    const first = await shop.exchange(code);
    await locking.query('ROLLBACK');
    locking.release();
    expect([first.status, first.body]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    expect((await shop.exchange(code)).status).toBe(200);
  });

  it('refuses a code when the person has disconnected the app since', async () => {
    const code = await shop.code(alice);
    await server.pool.query(`SELECT oauth_end_grants(ARRAY(SELECT id FROM oauth_grant WHERE revoked_at IS NULL), 'test')`);
    expect(refused(await shop.exchange(code))).toEqual([400, 'invalid_grant']);
  });

  it('refuses a code when the operator has disabled the person since, and shows no sign-in of theirs', async () => {
    const bob = await new Fixture(server).user();
    const code = await shop.code(bob, { scope: 'openid' });
    await server.get(UserService).setDisabled(bob.userId, true, () => Promise.resolve());
    expect(refused(await shop.exchange(code))).toEqual([400, 'invalid_grant']);
  });
});

it('logs what anyone sends in the name of a public app once a minute', async () => {
  const native = await newOAuthApp(server, { confidential: false });
  const { access_token: others } = await shop.connect(alice);
  for (let n = 0; n < 5; n++) {
    await native.exchange('no code');
    await native.refresh(mintToken('sluice_rt'));
    await native.revoke(others);
  }
  const lines = server.logs
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ clientId }) => clientId === native.client.id);
  expect(lines.map(({ event }) => event).sort()).toEqual([
    'oauth_code_rejected',
    'oauth_refresh_token_rejected',
    'oauth_revocation_rejected',
  ]);
});

describe('POST /oauth2/token', () => {
  const authenticated = (body: string): Promise<HttpAnswer> => form(body, { authorization: shop.basic });

  it('refuses unknown grant types', async () => {
    expect(refused(await authenticated('a=b'))).toEqual([400, 'invalid_request']);
    expect(refused(await authenticated('grant_type='))).toEqual([400, 'invalid_request']);
    for (const type of ['password', 'implicit', 'toString', '__proto__'])
      expect(refused(await authenticated(`grant_type=${type}`))).toEqual([400, 'unsupported_grant_type']);
    const reader = await newOAuthApp(server, { scopes: ['read'] });
    expect(refused(await reader.refresh('sluice_rt_x'))).toEqual([400, 'unauthorized_client']);
  });

  it.each([
    ['a parameter that came twice', 'grant_type=authorization_code&code=a&code=b'],
    ['an unknown parameter that came twice', 'grant_type=authorization_code&x=a&x=b'],
    ['NUL', 'grant_type=authorization_code&redirect_uri=a%00b'],
  ])('refuses %s', async (_what, body) => {
    expect(refused(await authenticated(body))).toEqual([400, 'invalid_request']);
  });

  it('accepts forms only, and secrets in the body only', async () => {
    const json = await request(`${server.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: shop.basic },
      body: '{"grant_type":',
    });
    expect(refused(json)).toEqual([400, 'invalid_request']);
    expect(
      refused(await request(`${server.url}/oauth2/token`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' })),
    ).toEqual([400, 'invalid_request']);
    expect(refused(await request(`${server.url}/oauth2/token`, { method: 'POST' }))).toEqual([400, 'invalid_request']);
    expect(refused(await form('x'.repeat(16_400), { authorization: shop.basic }))).toEqual([400, 'invalid_request']);
    for (const name of ['client_secret', 'code', 'refresh_token', 'client_assertion', 'code_verifier']) {
      expect(refused(await form('grant_type=authorization_code', { authorization: shop.basic }, `?${name}=x`))).toEqual([
        400,
        'invalid_request',
      ]);
    }
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers %s with 405', async (method) => {
    const answer = await request(`${server.url}/oauth2/token`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is readable by any origin, without cookies', async () => {
    const preflight = await request(`${server.url}/oauth2/token`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://spa.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const answer = await form('grant_type=x', { origin: 'https://spa.example' });
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-credentials')]).toEqual([
      '*',
      null,
    ]);
  });

  it('refuses a grant type that the client does not have', async () => {
    const both = await form(`grant_type=authorization_code&client_secret=${shop.secret}`, { authorization: shop.basic });
    expect(refused(both)).toEqual([400, 'invalid_request']);
    expect(refused(await form('grant_type=authorization_code&client_id=another', { authorization: shop.basic }))).toEqual([
      400,
      'invalid_request',
    ]);
  });
});

/** 400 means that the client was authenticated: the request has no grant type. */
const status = async (app: OAuthApp, secret = app.secret): Promise<number> =>
  (await new OAuthApp(server, app.client, secret).token({})).status;

describe('ApplicationService.register', () => {
  const register = (app: RegisteredApp): ReturnType<ApplicationService['register']> =>
    server.get(ApplicationService).register(app, { who: 'test' });

  it('fills in defaults, and approves the client', async () => {
    const outcome = await register({ name: ' Shop ', redirectUris: [CALLBACK, CALLBACK], scopes: ['read', 'offline_access'] });
    expect(outcome).toEqual({
      kind: 'registered',
      secret: expect.stringMatching(/^sluice_cs_[0-9A-Za-z]{49}$/),
      client: {
        ...DEFAULT_PROFILE,
        id: expect.stringMatching(/^[\w-]{36}$/),
        name: 'Shop',
        purpose: null,
        confidential: true,
        redirectUris: [CALLBACK],
        scopes: ['read', 'offline_access', 'offline'],
        grantTypes: ['authorization_code', 'refresh_token'],
        requirePkce: false,
        verified: false,
        trusted: false,
        homepage: null,
        state: 'approved',
        testOf: null,
      },
    });
    if (outcome.kind !== 'registered') return;
    expect(await status(new OAuthApp(server, outcome.client, outcome.secret ?? ''))).toBe(400);
  });

  it('gives public clients no secret, and requires PKCE of them', async () => {
    const outcome = await register({
      name: 'Native',
      redirectUris: ['com.example.app:/cb'],
      scopes: ['read'],
      confidential: false,
      requirePkce: false,
    });
    expect(outcome).toMatchObject({
      kind: 'registered',
      secret: null,
      client: { confidential: false, requirePkce: true, grantTypes: ['authorization_code'] },
    });
  });

  it('reports every fault at once, with its field', async () => {
    const outcome = await register({
      id: 'a b',
      name: '  ',
      purpose: 'too short',
      redirectUris: ['http://app.example/', 'javascript:alert(1)'],
      scopes: ['read', 'admin', 'offline'],
      grantTypes: ['password'],
      homepage: 'javascript:alert(1)',
    });
    const fields = outcome.kind === 'invalid' ? outcome.faults.map(({ field }) => field) : [];
    expect(fields).toEqual([
      ...['id', 'name', 'purpose', 'homepage', 'redirectUris', 'redirectUris', 'scopes'],
      ...['grantTypes', 'grantTypes', 'grantTypes'],
    ]);
  });

  it('refuses an id that exists', async () => {
    const wanted = { id: 'the-one', name: 'Shop', redirectUris: [CALLBACK], scopes: ['read'] };
    expect((await register(wanted)).kind).toBe('registered');
    expect(await register(wanted)).toEqual({ kind: 'id_taken' });
  });
});

describe('the secrets of a client', () => {
  it('can be rotated without an outage, two at a time', async () => {
    const shop = await newOAuthApp(server);
    const [second, third] = [await clients.addSecret(shop.client.id, 3_600), await clients.addSecret(shop.client.id, 3_600)];
    if (second.kind !== 'added' || third.kind !== 'added') throw new Error('No secret was added');
    expect(await Promise.all([shop.secret, second.secret, third.secret].map((secret) => status(shop, secret)))).toEqual([401, 400, 400]);
    await server.pool.query(
      `UPDATE oauth_client_secret SET expires_at = expires_at - interval '3601 seconds' WHERE expires_at IS NOT NULL`,
    );
    expect(await Promise.all([second.secret, third.secret].map((secret) => status(shop, secret)))).toEqual([401, 400]);
    const { rows } = await server.pool.query<{ isUsed: boolean }>(
      `SELECT last_used_at IS NOT NULL AS "isUsed" FROM oauth_client_secret WHERE client_id = $1 ORDER BY created_at DESC, id DESC`,
      [shop.client.id],
    );
    expect(rows.map(({ isUsed }) => isUsed)).toEqual([true, true, false]);
  });

  it('are all ended by a new one with no overlap', async () => {
    const shop = await newOAuthApp(server);
    const added = await clients.addSecret(shop.client.id, 0);
    expect(await status(shop)).toBe(401);
    expect(await status(shop, added.kind === 'added' ? added.secret : '')).toBe(400);
  });

  it('are at most two without an overlap, and each can be ended', async () => {
    const [shop, other] = [await newOAuthApp(server), await newOAuthApp(server)];
    const second = await clients.addSecret(shop.client.id);
    const added = second.kind === 'added' ? second.secret : '';
    expect(await clients.addSecret(shop.client.id)).toEqual({ kind: 'two_already' });
    expect([await status(shop), await status(shop, added)]).toEqual([400, 400]);
    const [first, newer] = await clients.secrets(shop.client.id);
    expect([first, newer]).toEqual([
      expect.objectContaining({ firstUsedAt: first?.lastUsedAt, lastUsedAt: expect.any(Date) }),
      expect.objectContaining({ firstUsedAt: expect.any(Date), lastUsedAt: expect.any(Date) }),
    ]);
    await server.pool.query(`UPDATE oauth_client_secret SET last_used_at = now() - interval '2 minutes' WHERE id = $1`, [newer?.id]);
    expect(await status(shop, added)).toBe(400);
    const used = (await clients.secrets(shop.client.id)).find(({ id }) => id === newer?.id);
    expect(used?.firstUsedAt).toEqual(newer?.firstUsedAt);
    const end = (app: OAuthApp, id: string): Promise<boolean> =>
      server.get(ApplicationCredentials).endSecret(app.client.id, id, {}, { who: 'test' });
    expect([await end(other, first?.id ?? ''), await end(shop, first?.id ?? ''), await end(shop, 'no uuid')]).toEqual([false, true, false]);
    expect([await status(shop), await status(shop, added)]).toEqual([401, 400]);
  });

  it('are for confidential clients only', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    expect(await clients.addSecret(native.client.id)).toEqual({ kind: 'public_client' });
    expect(await clients.addSecret('unknown')).toEqual({ kind: 'not_found' });
  });
});

it('returns null for unknown clients when it suspends and approves', async () => {
  expect([await clients.resume('unknown'), await clients.suspend('unknown'), await clients.find('unknown\0')]).toEqual([null, null, null]);
});
