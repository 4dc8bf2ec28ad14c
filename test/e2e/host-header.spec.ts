import { once } from 'node:events';
import { connect } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { productionEnv } from '../support/production.js';

const SOCKET = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** In production, which any name may reach: there only RFC 9112 decides about `Host`. */
describe('RFC 9112 section 3.2: a request', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ env: await productionEnv() })));
  afterAll(() => app.close());

  async function textOf(path: string, headers: string, version = '1.1', isWhole = (_text: string) => false): Promise<string> {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
      if (isWhole(text)) socket.destroy();
    });
    socket.write(`GET ${path} HTTP/${version}\r\n${headers}\r\n`);
    await once(socket, 'close');
    return text;
  }

  /** @returns the status line, without HTTP's version; '' for a connection that closes without an answer */
  async function statusOf(path: string, headers: string, version?: string): Promise<string> {
    const text = await textOf(path, headers, version, (part) => part.includes('\r\n\r\n'));
    return text.split('\r\n', 1)[0]?.replace(/^HTTP\/1\.1 /, '') ?? '';
  }

  const BAD: readonly [what: string, headers: string][] = [
    ['two Host lines', 'Host: localhost\r\nHost: elsewhere.test\r\n'],
    ['the same Host line twice', 'host: localhost\r\nHOST: localhost\r\n'],
    ['a user before the host', 'host: alice@localhost\r\n'],
    ['a path after the host', 'host: localhost/login\r\n'],
    ['a list of hosts', 'host: localhost, elsewhere.test/\r\n'],
    ['a space in the host', 'host: local host\r\n'],
    ['letters as port', 'host: localhost:http\r\n'],
    ['an open bracket', 'host: [::1\r\n'],
    ['half a percent-encoding', 'host: local%2host\r\n'],
    ['letters beyond ASCII', 'host: löcal\r\n'],
    ['no Host line', ''],
  ];

  it.each(BAD)('with %s gets 400', async (_what, headers) => {
    for (const path of ['/login', '/health/live', '/graphql'])
      expect([path, await statusOf(path, headers)]).toEqual([path, '400 Bad Request']);
    expect(await statusOf('/graphql', `${headers}${SOCKET}`)).toBe('400 Bad Request');
  });

  it.each([
    ['a name', 'host: localhost\r\n'],
    ['a name and a port', 'host: wallet.example:8443\r\n'],
    ['an IPv4 address', 'host: 192.0.2.1:80\r\n'],
    ['an IPv6 address', 'host: [2001:db8::1]:4000\r\n'],
    ['a name of a container', 'host: sluice_1\r\n'],
    ['a percent-encoded name', 'host: l%C3%B6cal.example:\r\n'],
    ['an empty Host', 'host:\r\n'],
  ])('with %s is answered', async (_what, headers) => {
    expect(await statusOf('/login', headers)).toBe('200 OK');
    expect(await statusOf('/graphql', `${headers}${SOCKET}sec-websocket-protocol: graphql-transport-ws\r\n`)).toBe(
      '101 Switching Protocols',
    );
  });

  it.each(['a'.repeat(300), 'host:99999', '<script>', '%'])('with the Host %j is no failure of the server', async (host) => {
    expect(await statusOf('/graphql', `host: ${host}\r\n`)).toMatch(/^[24]/);
  });

  it('of HTTP/1.0 needs no Host line, but may have only one', async () => {
    expect(await statusOf('/login', '', '1.0')).toBe('200 OK');
    expect(await statusOf('/login', 'host: a.test\r\nhost: b.test\r\n', '1.0')).toBe('400 Bad Request');
  });

  it('with the method CONNECT gets 405, and its connection is closed', async () => {
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    socket.write('CONNECT elsewhere.test:443 HTTP/1.1\r\nhost: elsewhere.test:443\r\n\r\nGET /login HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'end');
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n(.*\r\n)*allow: GET, .*\r\n(.*\r\n)*connection: close\r\n/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('A-45: with a forged Host names the addresses of the configuration', async () => {
    const forged = 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example\r\n';
    for (const path of ['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource/graphql']) {
      const text = await textOf(`/.well-known/${path}`, `${forged}Connection: close\r\n`);
      expect([path, text.includes(app.url), text.includes('evil')]).toEqual([path, true, false]);
    }
    for (const path of ['/userinfo', '/oauth2/auth']) expect(await textOf(path, `${forged}Connection: close\r\n`)).not.toContain('evil');
  });
});
