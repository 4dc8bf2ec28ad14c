import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { WebSocket } from 'ws';
import { ClientProfiles } from '../../src/access/oauth/index.js';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { DpopKey, nonceOf, type Named } from '../support/dpop-key.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';

const ME = { query: '{ me { id } }' };
const SCOPE = 'openid read offline';
/** An app with two keys that a thief does not have, and the thief's own. */
const [key, otherKey, thief] = [new DpopKey(), new DpopKey(), new DpopKey()];

let server: TestApp;
let beside: TestApp;
/** The second process, past the proxy. */
let elsewhere: string;
let alice: Person;
let shop: OAuthApp;
let phone: OAuthApp;
let browser: BrowserSession;

// Two processes of one installation, behind one address.
beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '10000/60', THROTTLE_TOKEN_ADDRESS: '10000/60' } });
  const port = String(await freePort());
  beside = await createTestApp({ beside: server, env: { PUBLIC_URL: server.url, PORT: port } });
  elsewhere = `http://localhost:${port}`;
  alice = await new Fixture(server).user();
  [shop, phone] = [await newOAuthApp(server), await newOAuthApp(server, { confidential: false, requirePkce: true })];
  browser = new BrowserSession(server.url);
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const at = (path: string): string => `${server.url}${path}`;
const toToken = async (by = key, claims = {}, header = {}): Promise<Record<string, string>> => ({
  dpop: by.proof({ htu: at('/oauth2/token'), nonce: await nonceOf(server.url) }, claims, header),
});
const authorized = (app: OAuthApp): Record<string, string> => (app.client.confidential ? { authorization: app.basic } : {});
const exchange = (app: OAuthApp, code: string, headers: Record<string, string>): Promise<HttpAnswer> =>
  app.token(
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      code_verifier: app.client.requirePkce ? app.pkce.verifier : undefined,
    },
    { ...authorized(app), ...headers },
  );
const refresh = (app: OAuthApp, token: string, headers: Record<string, string>): Promise<HttpAnswer> =>
  app.token({ grant_type: 'refresh_token', refresh_token: token }, { ...authorized(app), ...headers });
const codeFor = (app: OAuthApp, more = {}): Promise<string> => app.code(alice, { scope: SCOPE, ...more }, browser);
/** Tokens that are bound to a key. */
async function bound(app = shop, by = key): Promise<Required<Tokens>> {
  const { status, body, text } = await exchange(app, await codeFor(app), await toToken(by));
  if (status !== 200) throw new Error(`No tokens: ${text}`);
  return body as Required<Tokens>;
}
const toApi = async (token: string, by = key, named: Partial<Named> = {}, claims = {}, header = {}): Promise<string> =>
  by.proof({ htu: at('/graphql'), nonce: await nonceOf(server.url), token, ...named }, claims, header);
const refused = ({ status, body }: HttpAnswer): unknown => [status, body.error];
const challengeOf = ({ status, headers }: HttpAnswer): unknown => [
  status,
  /^DPoP error="(\w+)", error_description="[^"]+", algs="ES256 EdDSA Ed25519 PS256 RS256"$/.exec(
    headers.get('www-authenticate') ?? '',
  )?.[1],
];
const isAlice = ({ body }: HttpAnswer): boolean => body.data?.me.id === alice.userId;

/** RFC 9449 sections 4.2 and 4.3: what is wrong with a proof, and its error at the token endpoint and at a resource. */
const now = (): number => Math.floor(Date.now() / 1000);
const FAULTS: readonly { readonly what: string; readonly claims?: () => object; readonly header?: object; readonly error?: string }[] = [
  { what: 'another typ', header: { typ: 'JWT' } },
  { what: 'no typ', header: { typ: undefined } },
  { what: 'alg none', header: { alg: 'none' } },
  { what: 'a symmetric alg', header: { alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } } },
  { what: 'an alg that its key is not for', header: { alg: 'RS256' } },
  { what: 'no jwk', header: { jwk: undefined } },
  { what: 'another key than its signature', header: { jwk: otherKey.jwk } },
  { what: 'a private key', header: { jwk: key.privateJwk } },
  { what: 'an extension that must be understood', header: { crit: ['exp'], exp: 1 } },
  { what: 'no jti', claims: () => ({ jti: undefined }) },
  { what: 'an empty jti', claims: () => ({ jti: '' }) },
  { what: 'a long jti', claims: () => ({ jti: 'x'.repeat(257) }) },
  { what: 'another method', claims: () => ({ htm: 'GET' }) },
  { what: 'a method in lower case', claims: () => ({ htm: 'post' }) },
  { what: 'no method', claims: () => ({ htm: undefined }) },
  { what: 'another path', claims: () => ({ htu: at('/userinfo2') }) },
  { what: 'another host', claims: () => ({ htu: 'https://evil.example/graphql' }) },
  { what: 'no address', claims: () => ({ htu: undefined }) },
  { what: 'an address that is none', claims: () => ({ htu: 'graphql' }) },
  { what: 'no iat', claims: () => ({ iat: undefined }) },
  { what: 'an iat in words', claims: () => ({ iat: String(now()) }) },
  { what: 'A-48: an iat two minutes ago', claims: () => ({ iat: now() - 120 }) },
  { what: 'A-48: an iat in two minutes', claims: () => ({ iat: now() + 120 }) },
  { what: 'no nonce', claims: () => ({ nonce: undefined }), error: 'use_dpop_nonce' },
  { what: 'a nonce that it made up', claims: () => ({ nonce: 'x'.repeat(22) }), error: 'use_dpop_nonce' },
];

describe('a proof at the token endpoint', () => {
  let code: string;
  beforeAll(async () => (code = await codeFor(shop)));

  it.each(FAULTS)('with $what is refused, and the code stays valid', async ({ claims, header, error = 'invalid_dpop_proof' }) => {
    const answer = await exchange(shop, code, await toToken(key, claims?.(), header));
    expect(refused(answer)).toEqual([400, error]);
    expect(answer.headers.get('dpop-nonce')).toMatch(/^[\w-]{22}$/);
  });

  it('that is no JWT, is two, or was changed is refused', async () => {
    const { dpop = '' } = await toToken();
    const [head = '', body = '', signature = ''] = dpop.split('.');
    const hmac = createHmac('sha256', 'x').update(`${head}.${body}`).digest('base64url');
    const changed = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), jti: 'x' })).toString(
      'base64url',
    );
    const faults = [
      '',
      'x',
      `${dpop}, ${dpop}`,
      `${head}.${body}.`,
      `${head}.${body}.${hmac}`,
      `${head}.${changed}.${signature}`,
      'x'.repeat(9_000),
    ];
    for (const fault of faults) expect(refused(await exchange(shop, code, { dpop: fault }))).toEqual([400, 'invalid_dpop_proof']);
  });

  it('binds the access token to its key, and says so', async () => {
    const { status, body } = await exchange(shop, code, await toToken());
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    const { rows } = await server.pool.query('SELECT dpop_jkt FROM oauth_access_token ORDER BY created_at DESC LIMIT 1');
    expect(rows).toEqual([{ dpop_jkt: key.jkt }]);
  });

  it.each([
    ['EdDSA', 'EdDSA', generateKeyPairSync('ed25519')],
    ['its newer name', 'Ed25519', generateKeyPairSync('ed25519')],
    ['RS256', 'RS256', generateKeyPairSync('rsa', { modulusLength: 2_048 })],
    ['PS256', 'PS256', generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ])('may be signed with %s', async (_what, alg, pair) => {
    const { SignJWT } = await import('jose');
    const jwk = pair.publicKey.export({ format: 'jwk' });
    const dpop = await new SignJWT({ jti: alg, htm: 'POST', htu: at('/oauth2/token'), nonce: await nonceOf(server.url) })
      .setIssuedAt()
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: { ...jwk, kty: jwk.kty ?? '' } })
      .sign(pair.privateKey);
    expect((await exchange(shop, await codeFor(shop), { dpop })).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('of an RSA key whose exponent is as long as its modulus is refused unread: it costs a hundred times as much', async () => {
    const { n, e, d, p = '', q = '', qi = '' } = generateKeyPairSync('rsa', { modulusLength: 3_072 }).privateKey.export({ format: 'jwk' });
    const exchanged = { kty: 'RSA', n, e: d, d: e, p, q, dp: e, dq: e, qi } as const;
    const named = { jti: 'x', htm: 'POST', htu: at('/oauth2/token'), iat: now(), nonce: await nonceOf(server.url) };
    const [head, body] = [{ typ: 'dpop+jwt', alg: 'RS256', jwk: { kty: 'RSA', n, e: d } }, named].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const key = createPrivateKey({ key: exchanged, format: 'jwk' });
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), key).toString('base64url');
    expect(refused(await exchange(shop, await codeFor(shop), { dpop: `${head}.${body}.${signature}` }))).toEqual([
      400,
      'invalid_dpop_proof',
    ]);
  });

  it('is needed where the operator says so, and the code stays valid without it', async () => {
    const strict = await newOAuthApp(server);
    await server.get(ClientProfiles).set(strict.client.id, { requireDpop: true }, { who: 'test' });
    const strictCode = await codeFor(strict);
    expect(refused(await exchange(strict, strictCode, {}))).toEqual([400, 'invalid_dpop_proof']);
    expect((await exchange(strict, strictCode, await toToken())).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('has to be of the key that the authorization request named', async () => {
    const code = await codeFor(shop, { dpop_jkt: key.jkt });
    expect(refused(await exchange(shop, code, await toToken(thief)))).toEqual([400, 'invalid_grant']);
    expect(refused(await exchange(shop, await codeFor(shop, { dpop_jkt: key.jkt }), {}))).toEqual([400, 'invalid_grant']);
    expect((await exchange(shop, await codeFor(shop, { dpop_jkt: key.jkt }), await toToken())).status).toBe(200);
    const push = async (more: Record<string, string>, by = key): Promise<HttpAnswer> => {
      const asked = new URLSearchParams(shop.authorizeUrl({ scope: SCOPE, ...more }).split('?')[1]);
      const dpop = by.proof({ htu: at('/oauth2/par'), nonce: await nonceOf(server.url) });
      return request(at('/oauth2/par'), { method: 'POST', headers: { authorization: shop.basic, dpop }, body: asked });
    };
    expect(refused(await push({ dpop_jkt: thief.jkt }))).toEqual([400, 'invalid_dpop_proof']);
    const { request_uri: requestUri } = (await push({})).body;
    const pushed = `/oauth2/auth?${new URLSearchParams({ client_id: shop.client.id, request_uri: requestUri }).toString()}`;
    const end = await shop.allow(alice, await browser.get(pushed), browser);
    expect(refused(await exchange(shop, new URL(end).searchParams.get('code') ?? '', await toToken(thief)))).toEqual([
      400,
      'invalid_grant',
    ]);
    const { location } = await browser.get(shop.authorizeUrl({ dpop_jkt: 'short' }));
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('a refresh token', () => {
  it('of a public client is bound to the key: without it nothing happens to the grant', async () => {
    const { refresh_token: token } = await bound(phone);
    expect(refused(await refresh(phone, token, {}))).toEqual([400, 'invalid_grant']);
    expect(refused(await refresh(phone, token, await toToken(thief)))).toEqual([400, 'invalid_grant']);
    const next = await refresh(phone, token, await toToken());
    expect(next.body).toMatchObject({ token_type: 'DPoP', refresh_token: expect.any(String) });
    // A thief who comes long after the owner does not end the grant either.
    await server.pool.query('UPDATE oauth_refresh_token SET replay_until = now() WHERE replay_until IS NOT NULL');
    expect(refused(await refresh(phone, token, await toToken(thief)))).toEqual([400, 'invalid_grant']);
    expect((await refresh(phone, next.body.refresh_token, await toToken())).status).toBe(200);
  });

  it('of a public client gets its key with the first proof', async () => {
    const plain = (await exchange(phone, await codeFor(phone), {})).body;
    expect(plain.token_type).toBe('bearer');
    const { body } = await refresh(phone, plain.refresh_token, await toToken());
    expect(body.token_type).toBe('DPoP');
    expect(refused(await refresh(phone, body.refresh_token, {}))).toEqual([400, 'invalid_grant']);
  });

  it('of a confidential client is bound to its secret, so that its key can be replaced', async () => {
    const { refresh_token: token } = await bound();
    const { body } = await refresh(shop, token, await toToken(otherKey));
    expect(body.token_type).toBe('DPoP');
    expect(
      isAlice(await post(at('/graphql'), ME, { 'oauth2-token': body.access_token, dpop: await toApi(body.access_token, otherKey) })),
    ).toBe(true);
    // A repeat inside the window returns the pair to the key that it was issued to alone.
    expect(refused(await refresh(shop, token, await toToken(key)))).toEqual([400, 'invalid_grant']);
    expect((await refresh(shop, token, await toToken(otherKey))).body.access_token).toBe(body.access_token);
  });
});

describe('a bound access token', () => {
  let token: string;
  beforeAll(async () => (token = (await bound()).access_token));
  const call = async (headers: Record<string, string>, url = server.url): Promise<HttpAnswer> => post(`${url}/graphql`, ME, headers);

  it('works with its proof, in its own header and by its scheme, by POST and GET, and at userinfo', async () => {
    const query = `/graphql?query=${encodeURIComponent('{ me { id } }')}`;
    const scheme = { authorization: `DPoP ${token}` };
    expect(isAlice(await call({ 'oauth2-token': token, dpop: await toApi(token) }))).toBe(true);
    expect(isAlice(await call({ ...scheme, dpop: await toApi(token) }))).toBe(true);
    const byGet = { ...scheme, dpop: await toApi(token, key, { htm: 'GET' }) };
    expect(isAlice(await request(at(query), { headers: { ...byGet, accept: 'application/json' } }))).toBe(true);
    // The address is compared as an address: without query, and in the form that it has everywhere.
    const upper = at('/graphql?x=1#y').replace('http://localhost', 'HTTP://LOCALHOST');
    expect(isAlice(await call({ ...scheme, dpop: await toApi(token, key, { htu: upper }) }))).toBe(true);
    const userinfo = { ...scheme, dpop: await toApi(token, key, { htm: 'GET', htu: at('/userinfo') }) };
    expect((await request(at('/userinfo'), { headers: userinfo })).body).toEqual({ sub: alice.userId });
  });

  it.each(FAULTS)('is refused with a proof that has $what', async ({ claims, header, error = 'invalid_dpop_proof' }) => {
    const dpop = await toApi(token, key, {}, claims?.(), header);
    expect(challengeOf(await call({ 'oauth2-token': token, dpop }))).toEqual([401, error]);
  });

  it('is refused with a proof for another token', async () => {
    const other = (await bound()).access_token;
    for (const ath of [await toApi(other), await toApi(token, key, {}, { ath: undefined })])
      expect(challengeOf(await call({ 'oauth2-token': token, dpop: ath }))).toEqual([401, 'invalid_dpop_proof']);
  });

  it('is of no use to a thief without the key', async () => {
    const asThief = { htm: 'GET', htu: at('/userinfo') };
    const userinfo = (headers: Record<string, string>): Promise<HttpAnswer> => request(at('/userinfo'), { headers });
    const attempts = [
      call({ 'oauth2-token': token }),
      call({ authorization: `DPoP ${token}` }),
      call({ 'oauth2-token': token, dpop: await toApi(token, thief) }),
      call({ authorization: `DPoP ${token}`, dpop: await toApi(token, thief) }),
      userinfo({ authorization: `Bearer ${token}` }),
      userinfo({ authorization: `Bearer ${token}`, dpop: await toApi(token, key, asThief) }),
      userinfo({ authorization: `DPoP ${token}`, dpop: await toApi(token, thief, asThief) }),
      request(at('/userinfo'), { method: 'POST', body: new URLSearchParams({ access_token: token }) }),
    ];
    for (const answer of await Promise.all(attempts)) expect(challengeOf(answer)).toEqual([401, 'invalid_token']);
    expect((await call({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('does not make the scheme work for a token without a key', async () => {
    const { access_token: plain } = await shop.connect(alice, { scope: 'read' }, browser);
    expect(challengeOf(await call({ authorization: `DPoP ${plain}`, dpop: await toApi(plain) }))).toEqual([401, 'invalid_token']);
    expect(isAlice(await call({ 'oauth2-token': plain }))).toBe(true);
  });

  it('accepts no proof twice, on whichever process', async () => {
    const headers = { 'oauth2-token': token, dpop: await toApi(token) };
    expect(isAlice(await call(headers))).toBe(true);
    expect(challengeOf(await call(headers))).toEqual([401, 'invalid_dpop_proof']);
    const there = await call(headers, elsewhere);
    expect(challengeOf(there)).toEqual([401, 'use_dpop_nonce']);
    // Its nonce works there, once.
    const again = { ...headers, dpop: await toApi(token, key, { nonce: there.headers.get('dpop-nonce') ?? '' }) };
    expect(isAlice(await call(again, elsewhere))).toBe(true);
    expect(challengeOf(await call(again, elsewhere))).toEqual([401, 'invalid_dpop_proof']);
    expect(challengeOf(await call(again))).toEqual([401, 'use_dpop_nonce']);
  });

  it('accepts one of thirty copies of a proof, sent to both processes at once, and of a request for tokens', async () => {
    const headers = { 'oauth2-token': token, dpop: await toApi(token) };
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => call(headers, index % 2 ? elsewhere : server.url)));
    expect(answers.filter(isAlice)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(29);
    const proof = await toToken();
    expect((await exchange(shop, await codeFor(shop), proof)).status).toBe(200);
    expect(refused(await exchange(shop, await codeFor(shop), proof))).toEqual([400, 'invalid_dpop_proof']);
  });

  it('lets a script of another origin read the nonce', async () => {
    const origin = { origin: 'https://app.example.test' };
    const preflight = { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,dpop' };
    for (const path of ['/graphql', '/oauth2/token', '/userinfo']) {
      const { headers } = await request(at(path), { method: 'OPTIONS', headers: preflight });
      expect(headers.get('access-control-allow-headers')).toContain('dpop');
      const answer = await request(at(path), { method: 'POST', headers: { ...origin, dpop: 'x' } });
      expect(answer.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
      expect(answer.headers.get('dpop-nonce')).toMatch(/^[\w-]{22}$/);
    }
  });
});

describe('a socket with a bound access token', () => {
  let token: string;
  beforeAll(async () => (token = (await bound()).access_token));

  /** Opens a socket, and resolves to `connection_ack` or to how it was closed. */
  const connect = (payload: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
      socket.on('message', (data) => {
        resolve((JSON.parse((data as Buffer).toString()) as { type: string }).type);
        socket.close();
      });
      socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`));
    });
  const proof = (named: Partial<Named> = {}, by = key): Promise<string> => toApi(token, by, { htm: 'GET', ...named });

  it('opens with a proof of the upgrade, by either address', async () => {
    expect(await connect({ 'Oauth2-Token': token, DPoP: await proof() })).toBe('connection_ack');
    const htu = at('/graphql').replace(/^http/, 'ws');
    expect(await connect({ Authorization: `DPoP ${token}`, DPoP: await proof({ htu }) })).toBe('connection_ack');
  });

  it('says the nonce when it closes, with a code on which clients connect again', async () => {
    const said = await connect({ 'Oauth2-Token': token, DPoP: await proof({ nonce: '' }) });
    const nonce = /^4403 use_dpop_nonce: ([\w-]{22})$/.exec(said)?.[1] ?? '';
    expect(await connect({ 'Oauth2-Token': token, DPoP: await proof({ nonce }) })).toBe('connection_ack');
  });

  it('stays closed without the key, with a used proof, and with one of a request', async () => {
    const used = await proof();
    expect(await connect({ 'Oauth2-Token': token, DPoP: used })).toBe('connection_ack');
    expect(await connect({ 'Oauth2-Token': token, DPoP: used })).toBe('4401 invalid_dpop_proof: jti was used before');
    expect(await connect({ 'Oauth2-Token': token })).toMatch(/^4401 invalid_token: /);
    expect(await connect({ 'Oauth2-Token': token, DPoP: await proof({}, thief) })).toMatch(/^4401 invalid_token: /);
    expect(await connect({ 'Oauth2-Token': token, DPoP: await proof({ htm: 'POST' }) })).toMatch(/^4401 invalid_dpop_proof: htm/);
  });
});
