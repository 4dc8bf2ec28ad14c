import { connect, type Socket } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';

const UPGRADE =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** An upgrade takes a connection out of the HTTP server and its timeouts: Sluice has to close a refused one, whatever the client does. */
describe('refused upgrades', () => {
  let app: TestApp;
  beforeEach(async () => (app = await createTestApp({ env: { THROTTLE_ADDRESS: '20/60' } })));
  afterEach(() => app.close());

  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.sluice.app.getHttpServer().getConnections((error: Error | null, n: number) => (error ? reject(error) : resolve(n))),
    );

  /** Sends an upgrade, reads, and never closes its side. @returns the answer received so far */
  function ask(path: string, host = 'localhost'): { readonly socket: Socket; readonly answer: () => string } {
    let text = '';
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (data) => (text += String(data))).on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${UPGRADE}`);
    return { socket, answer: () => text };
  }

  it.each([
    ['elsewhere', '/nowhere', 'localhost', '404'],
    ['for another host', '/graphql', 'elsewhere.test', '421'],
  ])('%s: leave no connection open', async (_name, path, host, status) => {
    const asked = Array.from({ length: 10 }, () => ask(path, host));
    await eventually(() => asked.every(({ answer }) => answer().startsWith(`HTTP/1.1 ${status} `)));
    await eventually(async () => (await connections()) === 0);
    for (const { socket } of asked) socket.destroy();
  });

  it('count for their address, and leave no connection open above its limit', async () => {
    const asked = Array.from({ length: 25 }, () => ask('/nowhere'));
    await eventually(() => asked.every(({ answer }) => answer() !== ''));
    expect(asked.filter(({ answer }) => answer().startsWith('HTTP/1.1 429 '))).toHaveLength(5);
    await eventually(async () => (await connections()) === 0);
    for (const { socket } of asked) socket.destroy();
  });
});
