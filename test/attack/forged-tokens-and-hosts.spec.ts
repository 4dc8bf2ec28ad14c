import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { base64url, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { isWellFormedToken, mintToken } from '../../src/platform/kernel/token.js';
import { ClientProfiles } from '../../src/access/oauth/index.js';
import { OAuthCleanupJob } from '../../src/access/oauth/cleanup.job.js';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { request } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

describe('A-41: exhaustion', () => {
  const rows = async (): Promise<number> =>
    (await server.pool.query('SELECT count(*)::int AS n FROM oauth_interaction')).rows[0].n as number;

  it('an address gets a limited number of requests a minute, and they are deleted', async () => {
    const flood = new BrowserSession(server.url);
    const visits = [];
    for (let i = 0; i < 130; i++) visits.push(await flood.get(shop.authorizeUrl()));
    const last = visits.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(last?.text).toContain('data-testid="error-slow"');
    expect(await rows()).toBeLessThanOrEqual(121);
    // The browser is not left with more cookies than a server reads.
    expect(flood.cookies.size).toBeLessThanOrEqual(12);
    await server.pool.query(`UPDATE oauth_interaction SET expires_at = expires_at - interval '2 days'`);
    await server.get(OAuthCleanupJob).sweep();
    expect(await rows()).toBe(0);
  });

  it('requests that need no page leave no row', async () => {
    const before = await rows();
    for (let i = 0; i < 20; i++) await new BrowserSession(server.url).get(shop.authorizeUrl({ prompt: 'none' }));
    expect(await rows()).toBe(before);
  });

  it('large bodies and thousands of parameters are refused', async () => {
    const post = (body: string): Promise<number> =>
      fetch(`${server.url}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: shop.basic },
        body,
      }).then(
        ({ status }) => status,
        // The server closes the connection of a client that continues to send.
        () => 413,
      );
    expect([400, 413]).toContain(await post('x'.repeat(10_000_000)));
    expect(await post(Array.from({ length: 3_000 }, (_, i) => `a${i}=1`).join('&'))).toBe(400);
    expect(await post(Array.from({ length: 2_000 }, () => 'a=1').join('&'))).toBe(400);
  });
});

describe('A-42: ID tokens', () => {
  let idToken: string;
  let accessToken: string;
  let keys: { keys: { n: string; kid: string; alg: string }[] };
  let rsa: { n: string; kid: string };
  const others: [alg: string, idToken: string, accessToken: string, asHint: string | null][] = [];
  beforeAll(async () => {
    // The flood above has used up the address's limit for pages; this second process of the installation counts for itself.
    const quiet = await createTestApp({ beside: server });
    const app = await newOAuthApp(quiet);
    const browser = new BrowserSession(quiet.url);
    const tokens = (await app.connect(alice, { scope: 'openid read', nonce: 'once' }, browser)) as Required<Tokens>;
    [idToken, accessToken] = [tokens.id_token, tokens.access_token];
    for (const idTokenAlg of ['ES256', 'EdDSA'] as const) {
      await quiet.get(ClientProfiles).set(app.client.id, { idTokenAlg }, { who: 'test' });
      const other = (await app.connect(alice, { scope: 'openid read', prompt: 'consent' }, browser)) as Required<Tokens>;
      const { location } = await new BrowserSession(quiet.url).get(app.authorizeUrl({ prompt: 'none', id_token_hint: other.id_token }));
      others.push([idTokenAlg, other.id_token, other.access_token, new URL(location).searchParams.get('error')]);
    }
    keys = (await request(`${quiet.url}/.well-known/jwks.json`)).body;
    rsa = keys.keys.find(({ alg }) => alg === 'RS256') ?? { n: '', kid: '' };
    await quiet.close();
  });

  it('are signed by a published key, are valid for an hour, and contain nonce, auth_time and at_hash', async () => {
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(keys as never));
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: rsa.kid });
    expect(payload['at_hash']).toBe(createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'));
    expect(payload['nonce']).toBe('once');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3_600);
    expect(typeof payload.aud).toBe('string');
  });

  it('are signed by the algorithm of their client, with its hash of the access token, and are no less a hint', async () => {
    expect(others).toHaveLength(2);
    for (const [alg, token, access, asHint] of others) {
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys as never));
      expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: keys.keys.find((each) => each.alg === alg)?.kid });
      const [name, half] = alg === 'EdDSA' ? (['sha512', 32] as const) : (['sha256', 16] as const);
      expect(payload['at_hash']).toBe(createHash(name).update(access).digest().subarray(0, half).toString('base64url'));
      expect(asHint).toBe('login_required');
    }
    const published = keys.keys.map((jwk) => Object.keys(jwk).filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(member)));
    expect(published).toEqual([[], [], []]);
  });

  it('are ignored as id_token_hint when Sluice did not sign them', async () => {
    const claims = { ...decodeJwt(idToken) };
    const encode = (part: object): string => base64url.encode(JSON.stringify(part));
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    const confused = `${encode({ alg: 'HS256', kid: rsa.kid })}.${encode(claims)}`;
    const hmac = `${confused}.${createHmac('sha256', rsa.n).update(confused).digest('base64url')}`;
    const [header = '', , signature = ''] = idToken.split('.');
    const changed = `${header}.${encode({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${signature}`;
    for (const hint of [unsigned, hmac, changed, `${idToken}x`, 'x.y.z', '']) {
      const { location } = await new BrowserSession(server.url).get(shop.authorizeUrl({ prompt: 'none', id_token_hint: hint }));
      expect(new URL(location).searchParams.get('error')).toBe(hint === '' ? 'login_required' : 'invalid_request');
    }
  });
});

describe('A-45: forged Host headers', () => {
  // A demo refuses requests with another host (demo-at-home.spec.ts).
  let server: TestApp;
  let shop: OAuthApp;
  beforeAll(async () => {
    const port = String(await freePort());
    server = await createTestApp({
      env: {
        SLUICE_MODE: 'production',
        SLUICE_EMBEDDED_POSTGRES: '1',
        SLUICE_ALLOW_SIMULATED_MONEY: '1',
        LIGHTNING_BACKEND: 'simulator',
        NETWORK: 'regtest',
        PORT: port,
        PUBLIC_URL: `http://localhost:${port}`,
      },
    });
    shop = await newOAuthApp(server);
  });
  afterAll(() => server.close());

  const forged = (path: string): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      };
      const call = httpRequest({ hostname, port, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      call.on('error', reject).end();
    });

  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])('%s', async (path) => {
    const { status, text } = await forged(path);
    expect([status, text.includes('evil')]).toEqual([200, false]);
    expect((JSON.parse(text) as { issuer: string }).issuer).toBe(server.url);
  });

  it('redirects and challenges use PUBLIC_URL', async () => {
    const error = await forged(shop.authorizeUrl({ scope: 'nothing' }));
    expect(new URL(String(error.headers['location'])).searchParams.get('iss')).toBe(server.url);
    expect((await forged('/userinfo')).headers['www-authenticate']).toBe(`Bearer realm="${server.url}"`);
    expect((await forged('/oauth2/auth')).text).not.toContain('evil');
    expect((await forged('/.well-known/oauth-protected-resource')).text).not.toContain('evil');
  });
});

it('A-46: a token in the address is ignored', async () => {
  const beside = await createTestApp({ beside: server });
  try {
    const app = await newOAuthApp(beside);
    const { access_token: token } = await app.connect(alice, {}, new BrowserSession(beside.url));
    expect((await request(`${beside.url}/userinfo?access_token=${token}`)).status).toBe(400);
    const form = { method: 'POST', body: new URLSearchParams({ token }), headers: { authorization: app.basic } };
    expect((await request(`${beside.url}/oauth2/introspect?token=${token}`, form)).body.error).toBe('invalid_request');
    const as = { 'oauth2-token': token };
    const { data } = await graphql(beside.url, '{ me { id } }', {}, as);
    expect(data).not.toBeNull();
    const query = new URLSearchParams({ query: '{ me { id } }', access_token: token, 'Oauth2-Token': token });
    expect((await request(`${beside.url}/graphql?${query.toString()}`)).body.data?.me ?? null).toBeNull();
  } finally {
    await beside.close();
  }
});

it('A-47: tokens are random, with a prefix that scanners recognise', () => {
  const tokens = Array.from({ length: 10_000 }, () => mintToken('sluice_at'));
  expect(new Set(tokens).size).toBe(10_000);
  for (const token of tokens) expect(isWellFormedToken(token, 'sluice_at')).toBe(true);
  // 43 digits of base 62 hold 256 bits: each digit but the first is as likely as any other.
  const counts = new Map<string, number>();
  for (const token of tokens) for (const digit of token.slice('sluice_at_'.length + 1, -6)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const mean = (10_000 * 42) / 62;
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.1);
  expect(isWellFormedToken(`${tokens[0]?.slice(0, -1)}!`, 'sluice_at')).toBe(false);
  expect(isWellFormedToken(tokens[0] ?? '', 'sluice_rt')).toBe(false);
});
