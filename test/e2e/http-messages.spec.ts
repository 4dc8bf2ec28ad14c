import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { ASSETS, FAVICON } from '../../src/edge/page/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { request, type HttpAnswer } from '../support/http.js';
import { once } from 'node:events';
import { connect } from 'node:net';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Which answers are compressed on their way to a client, and which are not. */
describe('compression', () => {
  let alice: Person;

  beforeAll(async () => {
    alice = await new Fixture(app).user();
  });

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

/** The server accepts no compressed body: it could expand to a thousand times its size. */
describe('a request body with a Content-Encoding', () => {
  const QUERY = JSON.stringify({ query: '{ globals { network } }' });

  const send = (path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string>): Promise<HttpAnswer> =>
    request(`${app.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'gzip, gzip', 'identity, gzip', 'unheard-of'])(
    '%s gets 415, with the accepted encodings',
    async (encoding) => {
      const { status, headers, body } = await send('/graphql', gzipSync(QUERY), { 'content-encoding': encoding });
      expect([status, headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(body).toEqual({
        error: { code: 415, status: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as it is, without Content-Encoding' },
        errors: [{ message: 'Send the body as it is, without Content-Encoding' }],
      });
    },
  );

  it.each(['/auth/login', '/oauth2/token', '/login'])('gets 415 at %s too', async (path) => {
    expect((await send(path, gzipSync('{}'), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each(['identity', 'Identity', ''])('"%s" is no encoding', async (encoding) => {
    const { status, body } = await send('/graphql', QUERY, { 'content-encoding': encoding });
    expect([status, body]).toEqual([200, { data: { globals: { network: 'regtest' } } }]);
  });

  it('is never decompressed, whatever its size', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, 0x20), { level: 9 });
    expect(bomb.length).toBeLessThan(128 * 1024);
    const before = process.memoryUsage.rss();
    for (let n = 0; n < 20; n++) expect((await send('/graphql', bomb, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 2 ** 20);
  });
});

/** A server ignores an upgrade that it does not support (RFC 9110, 7.8). Sluice supports `websocket`, at the address of the sockets. */
describe('a request with Upgrade', () => {
  /** The headers that Java's HttpClient sends with every first request by default. */
  const OFFER = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n';
  const BODY = JSON.stringify({ query: '{ globals { network } }' });

  /** All bytes until the server closes the connection. */
  async function ask(...parts: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await once(socket, 'close');
    return text;
  }

  it.each([
    ['as HTTP/2', OFFER],
    ['as an unknown protocol', 'connection: upgrade\r\nupgrade: carrier-pigeon/1\r\n'],
    ['as a list', 'connection: Upgrade\r\nupgrade: h2c, IRC/6.9\r\n'],
  ])('%s is ignored: the request is answered', async (_, offer) => {
    const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${offer}`;
    const whole = await ask(`${head}content-length: ${BODY.length}\r\n\r\n${BODY}`);
    expect(whole).toMatch(/^HTTP\/1.1 200 /);
    expect(whole).toContain('{"data":{"globals":{"network":"regtest"}}}');
    const inChunks = await ask(`${head}transfer-encoding: chunked\r\n\r\n`, `${BODY.length.toString(16)}\r\n${BODY}\r\n`, '0\r\n\r\n');
    expect(inChunks).toContain('{"data":{"globals":{"network":"regtest"}}}');
  });

  it('is ignored at every path, and the connection closes after the answer without reading what follows', async () => {
    const answer = await ask(
      `GET /health/live HTTP/1.1\r\nhost: localhost\r\n${OFFER}\r\nGET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*\r\nconnection: close\r\n/i);
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(await ask(`GET /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 404 /,
    );
  });
});
