import { once } from 'node:events';
import { connect } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';

/** The headers that Java's HttpClient sends with every first request by default. */
const OFFER = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n';
const BODY = JSON.stringify({ query: '{ globals { network } }' });

/** A server ignores an upgrade that it does not support (RFC 9110, 7.8). Sluice supports `websocket`, at the address of the sockets. */
describe('a request with Upgrade', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

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
