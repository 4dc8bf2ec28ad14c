import { request as rawRequest } from 'node:http';
import { createTestApp, type TestApp } from '../support/app.js';
import { post, request } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const UNKNOWN = 'a'.repeat(49);
const AS_KEY = 'Send it as `X-API-KEY: <key>`.';
const AS_TOKEN = 'Send it as `Oauth2-Token: <token>` or `Authorization: Bearer <token>`.';
const AS_SESSION = 'Send it as `Authorization: Bearer <token>`.';

let app: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  alice = await fixture.user();
});
afterAll(() => app.close());

const ask = (headers: Record<string, string>): ReturnType<typeof post> => post(`${app.url}/graphql`, { query: '{ me { id } }' }, headers);

describe('a credential in the wrong place gets 401 with its right place', () => {
  it.each([
    ['an API key as Bearer', { authorization: `Bearer sluice_${UNKNOWN}` }, AS_KEY],
    ['an API key as Authorization', { authorization: `sluice_${UNKNOWN}` }, AS_KEY],
    ['an OAuth token without Bearer', { authorization: `sluice_at_${UNKNOWN}` }, AS_TOKEN],
    ['an OAuth token with Bearer', { 'oauth2-token': `Bearer sluice_at_${UNKNOWN}` }, AS_TOKEN],
    ['an OAuth token as an API key', { 'x-api-key': `sluice_at_${UNKNOWN}` }, AS_TOKEN],
    ['a session token without Bearer', { authorization: `sluice_st_${UNKNOWN}` }, AS_SESSION],
    ['a session token as an API key', { 'x-api-key': `sluice_st_${UNKNOWN}` }, AS_SESSION],
    ['a refresh token', { 'oauth2-token': `sluice_rt_${UNKNOWN}` }, 'This is a refresh token.'],
    ["a client's secret", { 'x-api-key': `sluice_cs_${UNKNOWN}` }, 'This is the secret of an OAuth client.'],
    ['a key twice in one header', { 'x-api-key': `sluice_${UNKNOWN}, sluice_${UNKNOWN}` }, 'was sent more than once'],
  ])('%s', async (_what, headers, hint) => {
    const { status, body } = await ask(headers);
    expect(status).toBe(401);
    expect(body).toEqual({
      error: { code: 401, status: 'Unauthorized', message: 'Access credentials are invalid' },
      errors: [{ message: 'Access credentials are invalid' }],
      hint: expect.stringContaining(hint) as string,
    });
  });

  it('also when it is valid: it is not looked up', async () => {
    const key = String(Object.values(alice.as('read'))[0]);
    const right = await ask({ authorization: `Bearer ${key}` });
    const wrong = await ask({ authorization: `Bearer sluice_${UNKNOWN}` });
    expect(right.body).toEqual(wrong.body);
  });

  it('also when the header occurs twice', async () => {
    const { port } = new URL(app.url);
    const key = String(Object.values(alice.as('read'))[0]);
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': [key, key] };
      const sent = rawRequest({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      });
      sent.on('error', reject);
      sent.end('{"query":"{ me { id } }"}');
    });
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 401 },
      hint: '`x-api-key` was sent more than once or contains a comma. Send it once.',
    });
  });

  it.each([
    [{ 'x-api-key': 'nonsense' }],
    [{ 'x-api-key': `sluice_${UNKNOWN}` }],
    [{ 'oauth2-token': 'x' }],
    [{ authorization: `Bearer sluice_at_${UNKNOWN}` }],
    [{ authorization: `Bearer sluice_st_${UNKNOWN}` }],
    [{ authorization: 'Basic YTpi' }],
  ])('%j is in its place: no hint', async (headers) => {
    const { status, body } = await ask(headers);
    expect([status, 'hint' in body]).toEqual([401, false]);
  });
});

describe('a credential that is not read gets a hint in the refusal', () => {
  it.each([
    [{ 'x-apikey': 'whatever' }, 'X-API-KEY'],
    [{ 'api-key': 'whatever' }, 'X-API-KEY'],
    [{ token: 'whatever' }, 'X-API-KEY'],
    [{ 'x-blink-secret': `sluice_${UNKNOWN}` }, AS_KEY],
    [{ 'x-whatever': `Bearer sluice_at_${UNKNOWN}` }, AS_TOKEN],
  ])('%j', async (headers, hint) => {
    const { status, body } = await ask(headers);
    expect([status, body.data]).toEqual([200, { me: null }]);
    expect(body.errors).toMatchObject([
      { message: 'Not authorized', extensions: { code: 'NOT_AUTHENTICATED', hint: expect.stringContaining(hint) as string } },
    ]);
  });

  it('and no hint without a text that looks like one', async () => {
    const { body } = await ask({ 'x-request-id': 'abc', 'user-agent': 'tests' });
    expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'NOT_AUTHENTICATED' } })]);
  });

  it.each([
    [{ headers: { 'X-API-KEY': `sluice_${UNKNOWN}` } }, {}, 'Credentials are keys of the payload itself'],
    [{ apiKey: `sluice_${UNKNOWN}` }, {}, AS_KEY],
    [{}, { 'x-api-key': `sluice_${UNKNOWN}` }, 'Headers of the upgrade are not read'],
  ])('connection_init with %j', async (payload, headers, hint) => {
    const raw = await RawSocket.admitted(app.url, payload as never, { headers });
    raw.subscribe('1', 'subscription { myUpdates { errors { message } } }');
    expect(await raw.next()).toMatchObject({
      type: 'next',
      payload: {
        errors: [{ message: 'Not authorized', extensions: { code: 'NOT_AUTHENTICATED', hint: expect.stringContaining(hint) as string } }],
      },
    });
    await raw.leave();
  });
});

describe('Authorization is checked only where it is read', () => {
  const PROXY = { authorization: `Basic ${Buffer.from('proxy-user:secret').toString('base64')}` };

  it.each(['/login', '/register', '/health/live', '/.well-known/openid-configuration', '/dashboard'])('%s ignores it', async (path) => {
    const [plain, behindProxy] = [await request(`${app.url}${path}`), await request(`${app.url}${path}`, { headers: PROXY })];
    expect(plain.status).toBeLessThan(400);
    expect(behindProxy.status).toBe(plain.status);
  });

  it('a sign-in form works behind a proxy with HTTP Basic', async () => {
    const answer = await post(`${app.url}/auth/login`, { email: alice.email, password: 'wrong password' }, PROXY);
    expect(answer.body.error.message).not.toBe('Access credentials are invalid');
  });

  it('two credentials are accepted where none is read', async () => {
    expect((await request(`${app.url}/login`, { headers: { ...PROXY, 'x-api-key': 'x' } })).status).toBe(200);
  });

  it('/graphql checks it, with every method', async () => {
    expect((await ask(PROXY)).status).toBe(401);
    expect((await request(`${app.url}/graphql?query=%7B__typename%7D`, { headers: PROXY })).status).toBe(401);
  });
});
