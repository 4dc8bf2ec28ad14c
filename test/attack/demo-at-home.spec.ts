import { request as httpRequest } from 'node:http';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { BrowserSession } from '../support/browser-session.js';
import { PASSWORD, Fixture } from '../support/fixture.js';

/** The status of the answer to a request with this Host header. */
const statusFor = (asked: TestApp, host: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(asked.url);
    httpRequest({ hostname: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a page whose name resolves to this machine (DNS rebinding)', () => {
  it.each(['/login', '/dashboard', '/graphql?query=%7B__typename%7D', '/.well-known/jwks.json', '/healthy', '/no/such/page'])(
    'reads nothing from a demo at %s',
    async (path) => {
      for (const host of [
        'rebound.example',
        'rebound.example:4000',
        'localhost.rebound.example',
        '127.0.0.1.rebound.example',
        '198.51.100.1',
      ])
        expect([host, await statusFor(app, host, path)]).toEqual([host, 421]);
      expect(await statusFor(app, '@', path)).toBe(400);
    },
  );

  it('opens no socket', async () => {
    await expect(RawSocket.open(app.url, { headers: { host: 'rebound.example' } })).rejects.toThrow('HTTP 421');
    const own = await RawSocket.open(app.url, { headers: { host: 'localhost:1' } });
    own.socket.terminate();
  });

  it('is the only caller that is refused', async () => {
    const { port } = new URL(app.url);
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`, 'LOCALHOST'])
      expect([host, await statusFor(app, host, '/login')]).toEqual([host, 200]);
    expect(await statusFor(app, 'sluice.internal', '/health/live')).toBe(200);
    expect(await statusFor(app, 'sluice.internal', '/health/ready')).not.toBe(421);
  });
});

it('does not reach a demo on all addresses, which accepts IP addresses and no names as Host', async () => {
  const open = await createTestApp({ env: { HOST: '0.0.0.0' } });
  const said = [await statusFor(open, '192.168.1.5:4000', '/login'), await statusFor(open, 'rebound.example', '/login')];
  await open.close();
  expect(said).toEqual([200, 421]);
});

it('is refused by its name in production, which accepts the names that its proxy sends', async () => {
  const port = String(await freePort());
  const real = await createTestApp({
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
  const status = await statusFor(real, 'wallet.example', '/login');
  await real.close();
  expect(status).toBe(200);
});

describe('the session cookie of a browser', () => {
  it('is no credential of the API, over HTTP or a socket', async () => {
    const alice = await new Fixture(app).user();
    const browser = new BrowserSession(app.url);
    await browser.submit(await browser.get('/login'), { email: alice.email, password: PASSWORD });
    const authorization = `Bearer ${browser.cookies.get('sluice') ?? ''}`;
    expect((await request(`${app.url}/graphql?query=%7Bme%7Bid%7D%7D`, { headers: { authorization } })).status).toBe(401);
    const socket = await RawSocket.open(app.url);
    socket.send({ type: 'connection_init', payload: { authorization } });
    expect((await socket.closed).code).toBe(4401);
    expect((await browser.get('/dashboard')).status).toBe(200);
  });

  it('is not readable by other origins: /auth/login sends no CORS headers', async () => {
    const origin = 'https://shop.example';
    const preflight = await request(`${app.url}/auth/login`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    const answer = await request(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'alice@example.test', password: 'not the password' }),
    });
    for (const { headers } of [preflight, answer])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
