import { createTestApp, type TestApp } from '../support/app.js';
import { request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { Fixture } from '../support/fixture.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const base64 = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');

describe('A-34: guessing secrets', () => {
  let server: TestApp;
  let shop: OAuthApp;
  beforeAll(async () => {
    server = await createTestApp({ env: { THROTTLE_ADDRESS: '100000/60', TRUST_PROXY: '1' } });
    shop = await newOAuthApp(server);
  });
  afterAll(() => server.close());

  const guess = (secret: string, address = '192.0.2.1', id = shop.client.id): Promise<HttpAnswer> =>
    request(`${server.url}/oauth2/token`, {
      method: 'POST',
      headers: { ...FORM, authorization: `Basic ${base64(`${id}:${secret}`)}`, 'x-forwarded-for': address },
      body: 'grant_type=x',
    });

  it('is throttled after five failures from an address; the right secret still succeeds', async () => {
    const answers = [];
    for (let batch = 0; batch < 20; batch++) {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => guess(`sluice_cs_${batch}_${i}`)))));
    }
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
    const slowed = await guess('wrong');
    expect(slowed.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(slowed.headers.get('ratelimit')).toContain('"token-address";r=0');
    // 400: the client was authenticated, and asked for a grant type that does not exist.
    expect((await guess(shop.secret)).body.error).toBe('unsupported_grant_type');
  });

  it('is throttled after twenty failures for a client, from any addresses', async () => {
    const statuses = [];
    for (let i = 0; i < 30; i++) statuses.push((await guess('wrong', `198.51.100.${i}`)).status);
    expect(statuses).toContain(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(shop.secret, '198.51.100.200')).status).toBe(400);
  });

  const ask = (address: string, headers: Readonly<Record<string, string>>, body: string): Promise<HttpAnswer> =>
    request(`${server.url}/oauth2/token`, { method: 'POST', headers: { ...FORM, 'x-forwarded-for': address, ...headers }, body });

  it('costs nothing for requests with the right one', async () => {
    for (let i = 0; i < 10; i++) expect((await ask('203.0.113.1', { authorization: shop.basic }, 'grant_type=x')).status).toBe(400);
  });

  it.each([
    ['nothing', '203.0.113.2', ''],
    ['a client id alone', '203.0.113.3', 'client_id=unknown'],
    ['junk', '203.0.113.4', Array.from({ length: 2_000 }, (_, n) => `k${n}=`).join('&')],
  ])('counts requests with %s, which are no guesses, and logs one line a minute', async (_what, address, body) => {
    const statuses = [];
    for (let i = 0; i < 10; i++) statuses.push((await ask(address, {}, body)).status);
    expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(5).fill(429)]);
    expect((await ask(address, { authorization: shop.basic }, 'grant_type=x')).status).toBe(400);
    expect(server.logs.filter((line) => line.includes('"oauth_client_rejected"')).length).toBeLessThanOrEqual(3);
  });
});

describe('A-33, A-35: client authentication', () => {
  let server: TestApp;
  let shop: OAuthApp;
  beforeAll(async () => {
    server = await createTestApp({ env: { THROTTLE_TOKEN_ADDRESS: '100000/60', THROTTLE_TOKEN_CLIENT: '100000/60' } });
    shop = await newOAuthApp(server);
  });
  afterAll(() => server.close());

  const token = (headers: Readonly<Record<string, string>>, body = 'grant_type=x'): Promise<HttpAnswer> =>
    request(`${server.url}/oauth2/token`, { method: 'POST', headers: { ...FORM, ...headers }, body });
  const basic = (text: string | Buffer): Promise<HttpAnswer> => token({ authorization: `Basic ${base64(text)}` });
  const IN = [400, 'unsupported_grant_type'];
  const OUT = [401, 'invalid_client'];
  const of = (answer: HttpAnswer): readonly [number, string] => [answer.status, answer.body.error];

  it('A-33: every failure has the same body', async () => {
    const [unknown, wrong, empty] = [await basic('unknown:x'), await basic(`${shop.client.id}:x`), await basic(`${shop.client.id}:`)];
    expect(new Set([unknown, wrong, empty].map(({ text }) => text)).size).toBe(1);
    for (const answer of [unknown, wrong, empty])
      expect(answer.headers.get('www-authenticate')).toBe(`Basic realm="${server.url}", charset="UTF-8"`);
  });

  it('A-33: WWW-Authenticate is sent to requests without credentials, and not to those with credentials in the body', async () => {
    const posted = await token({}, `grant_type=x&client_id=${shop.client.id}&client_secret=wrong`);
    expect([...of(posted), posted.headers.get('www-authenticate')]).toEqual([...OUT, null]);
    const nothing = await token({});
    expect([...of(nothing), nothing.headers.get('www-authenticate')]).toEqual([...OUT, expect.stringContaining('Basic')]);
  });

  it('A-35: the right secret is accepted raw and form-encoded', async () => {
    const { id } = shop.client;
    const encode = (text: string): string => encodeURIComponent(text).replaceAll('_', '%5F').replaceAll('-', '%2D');
    expect(of(await basic(`${id}:${shop.secret}`))).toEqual(IN);
    expect(of(await basic(`${encode(id)}:${encode(shop.secret)}`))).toEqual(IN);
    expect(of(await token({ authorization: `bAsIc  ${base64(`${id}:${shop.secret}`)}` }))).toEqual(IN);
  });

  it('A-35: malformed Basic headers are refused', async () => {
    const { client, secret } = shop;
    const right = `${client.id}:${secret}`;
    for (const text of [
      `${right}:junk`,
      `${right}\0`,
      `${right}%00`,
      `${right} `,
      `${right}%zz`,
      `${right}%`,
      `${client.id}${secret}`,
      right.toUpperCase(),
      Buffer.concat([Buffer.from(right), Buffer.from([0xff])]),
      `${client.id}:${'x'.repeat(4_000)}`,
      ':',
      `:${secret}`,
    ]) {
      expect(of(await basic(text))).toEqual(OUT);
    }
    const encoded = base64(right);
    for (const authorization of [
      `xBASICx ${encoded}`,
      `Basic`,
      `Basic ${encoded} x`,
      `Basic !${encoded}`,
      `Bearer ${encoded}`,
      `Basic ${encoded}, Basic ${encoded}`,
      encoded,
    ]) {
      expect(of(await token({ authorization }))).toEqual(OUT);
    }
  });

  it('A-35: public clients may not send a secret, and confidential ones must', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    expect(of(await token({}, `grant_type=x&client_id=${native.client.id}`))).toEqual(IN);
    expect(of(await token({}, `grant_type=x&client_id=${native.client.id}&client_secret=x`))).toEqual(OUT);
    expect(of(await basic(`${native.client.id}:x`))).toEqual(OUT);
    expect(of(await token({}, `grant_type=x&client_id=${shop.client.id}`))).toEqual(OUT);
  });
});

describe('A-37: input that a database could reject', () => {
  let server: TestApp;
  let shop: OAuthApp;
  beforeAll(async () => {
    server = await createTestApp({
      env: { THROTTLE_TOKEN_ADDRESS: '100000/60', THROTTLE_TOKEN_CLIENT: '100000/60', THROTTLE_AUTHORIZATION_PAGE: '100000/60' },
    });
    await new Fixture(server).user();
    shop = await newOAuthApp(server);
  });
  afterAll(() => server.close());

  const PAYLOADS = [
    "'",
    "' OR '1'='1",
    "'; DROP TABLE oauth_client; --",
    '\\',
    '$1',
    '%00',
    '\0',
    '\u0000\u0000',
    '\ud800',
    '{}',
    '{"a":1}',
    '🦊'.repeat(300),
    '%',
    '\r\n',
    'NULL',
  ];
  const AUTHORIZE = [
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'nonce',
    'prompt',
    'max_age',
    'code_challenge',
    'code_challenge_method',
    'id_token_hint',
    'login_hint',
    'acr_values',
    'response_mode',
    'x',
  ];
  const TOKEN = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'client_id', 'client_secret', 'x'];

  it.each(PAYLOADS)('%j is never a 500, at any endpoint', async (payload) => {
    const statuses = new Set<number>();
    const note = async (answer: Promise<HttpAnswer>): Promise<void> => void statuses.add((await answer).status);
    const post = (path: string, body: URLSearchParams): Promise<void> => note(request(`${server.url}${path}`, { method: 'POST', body }));
    const byClient = { grant_type: 'authorization_code', client_id: shop.client.id, client_secret: shop.secret };
    await Promise.all(
      AUTHORIZE.flatMap((name) => {
        const url = shop.authorizeUrl({ [name]: payload });
        return [note(request(`${server.url}${url}`)), post('/oauth2/auth', new URL(url, server.url).searchParams)];
      }),
    );
    await Promise.all(
      TOKEN.flatMap((name) => [
        ...['authorization_code', 'refresh_token'].map((grant) =>
          note(shop.token({ grant_type: grant, code: 'x', refresh_token: 'x', [name]: payload })),
        ),
        post('/oauth2/token', new URLSearchParams({ ...byClient, [name]: payload })),
      ]),
    );
    await note(shop.revoke(payload));
    await note(
      request(`${server.url}/oauth2/token`, {
        method: 'POST',
        headers: { ...FORM, authorization: `Basic ${base64(`${payload}:${payload}`)}` },
        body: 'grant_type=x',
      }),
    );
    await note(
      request(`${server.url}/userinfo`, { headers: { authorization: `Bearer ${encodeURIComponent(Buffer.from(payload).toString())}` } }),
    );
    await note(request(`${server.url}/login?login_challenge=${encodeURIComponent(Buffer.from(payload).toString())}`));
    await note(request(`${server.url}/consent?consent_challenge=${encodeURIComponent(Buffer.from(payload).toString())}`));
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  });

  it('bytes that are no UTF-8 are never a 500', async () => {
    for (const path of [
      '/oauth2/auth?client_id=%ff%fe&state=%c3%28',
      `${shop.authorizeUrl()}&nonce=%ff`,
      '/userinfo?%ff=%00',
      '/login?login_challenge=%ff',
    ]) {
      expect((await request(`${server.url}${path}`)).status).toBeLessThan(500);
    }
    const body = Buffer.from([0x63, 0x6f, 0x64, 0x65, 0x3d, 0xff, 0xfe, 0x00]);
    expect(
      (await request(`${server.url}/oauth2/token`, { method: 'POST', headers: { ...FORM, authorization: shop.basic }, body })).status,
    ).toBe(400);
  });
});
