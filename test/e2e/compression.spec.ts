import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { ASSETS, FAVICON } from '../../src/edge/page/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Which answers are compressed on their way to a client, and which are not. */
describe('compression', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  /** The answer as it is on the wire. */
  const raw = (path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = ask(`${app.url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
      });
      sent.on('error', reject).end(body);
    });
  const GZIP = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const query = (text: string, headers = {}): Promise<Answer> =>
    raw('/graphql', { ...JSON_TYPE, ...headers }, JSON.stringify({ query: text }));

  it.each(Object.keys(ASSETS) as (keyof typeof ASSETS)[])('shrinks the asset %s without changing it', async (name) => {
    const { href, body, type } = ASSETS[name];
    const { status, headers, body: sent } = await raw(href, GZIP);
    expect([status, headers['content-type']]).toEqual([200, type]);
    if (body.length < 1_024) return expect(sent).toEqual(body);
    expect([headers['content-encoding'], headers['vary']]).toEqual(['gzip', expect.stringContaining('accept-encoding')]);
    expect(gunzipSync(sent)).toEqual(body);
    expect(sent.length).toBeLessThan(body.length * 0.55);
    expect((await raw(href)).body).toEqual(body);
  });

  it('shrinks long answers of the API, and leaves short ones uncompressed', async () => {
    const plain = await query(getIntrospectionQuery());
    const { status, headers, body } = await query(getIntrospectionQuery(), GZIP);
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(gunzipSync(body).equals(plain.body)).toBe(true);
    expect(body.length).toBeLessThan(plain.body.length / 4);
    const short = await query('{ globals { network } }', GZIP);
    expect([short.headers['content-encoding'], JSON.parse(short.body.toString())]).toEqual([
      undefined,
      { data: { globals: { network: 'regtest' } } },
    ]);
  });

  it.each(['identity', 'gzip;q=0', 'br', ''])('is not used for a client that accepts only %j', async (encoding) => {
    const { headers, body } = await query(getIntrospectionQuery(), { 'accept-encoding': encoding });
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body.toString())).toHaveProperty('data.__schema');
  });

  it('is not used for pages and answers with secrets', async () => {
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of ['/login?switch=1', '/register', '/dashboard', '/dashboard/keys/new', '/dashboard/history']) {
      const { headers, body } = await raw(path, { ...GZIP, cookie, accept: 'text/html' });
      expect([path, headers['content-encoding']]).toEqual([path, undefined]);
      expect(body.length).toBeGreaterThan(1_024);
    }
    const { status, headers } = await raw(
      '/auth/login',
      { ...GZIP, ...JSON_TYPE },
      JSON.stringify({ email: alice.email, password: PASSWORD, pad: 'x'.repeat(2_000) }),
    );
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('is not offered on sockets', async () => {
    const upgraded = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
        'sec-websocket-version': '13',
        'sec-websocket-protocol': 'graphql-transport-ws',
        'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits',
      };
      ask(`${app.url}/graphql`, { headers })
        .on('upgrade', (response, socket) => {
          socket.destroy();
          resolve(response.headers);
        })
        .on('error', reject)
        .end();
    });
    expect(upgraded['sec-websocket-extensions']).toBeUndefined();
  });

  it('is used for the icon at /favicon.ico too', async () => {
    const { status, headers, body } = await raw('/favicon.ico', GZIP);
    expect([status, headers['content-type']]).toEqual([200, 'image/x-icon']);
    expect(body).toEqual(FAVICON);
    expect(body.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });
});
