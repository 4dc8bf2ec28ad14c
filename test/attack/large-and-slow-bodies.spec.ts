import { connect } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

describe('A-41: large, numerous and slow bodies', () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    app = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '100000/60' } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const FORM = 'application/x-www-form-urlencoded';
  const send = (path: string, type: string, body: string | ReadableStream): Promise<number> =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': type },
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    }).then(
      ({ status }) => status,
      () => 413, // the server closes the connection of a client that continues to send
    );
  const endless = (): ReadableStream => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if ((sent += 65_536) > 10_000_000) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });
  };
  const stillServes = async (): Promise<void> => {
    expect((await graphql(app.url, '{ globals { network } }')).data).toEqual({ globals: { network: 'regtest' } });
  };

  it.each([
    ['/graphql', 'application/json'],
    ['/auth/login', 'application/json'],
    ['/login', FORM],
    ['/register', FORM],
    ['/consent', FORM],
    ['/oauth2/auth', FORM],
    ['/oauth2/token', FORM],
    ['/oauth2/revoke', FORM],
    ['/userinfo', FORM],
    ['/dashboard/keys', FORM],
  ])('10 MB to %s are refused, with and without Content-Length', async (path, type) => {
    for (const body of ['x'.repeat(10_000_000), endless()]) {
      const status = await send(path, type, body);
      expect([400, 401, 403, 413]).toContain(status);
    }
    await stillServes();
  });

  it.each(['/login', '/register', '/oauth2/auth', '/oauth2/token', '/oauth2/revoke'])(
    '5,000 parameters to %s are treated as none',
    async (path) => {
      for (const body of [
        Array.from({ length: 5_000 }, (_, i) => `a${i}`)
          .join('&')
          .slice(0, 16_000),
        '&'.repeat(16_000),
        'scope=x&'.repeat(1_900),
      ]) {
        expect([400, 401, 403, 413]).toContain(await send(path, FORM, body));
      }
    },
  );

  it('a consent with thousands of boxes grants what was requested, and nothing else', async () => {
    const shop = await newOAuthApp(app);
    const browser = new BrowserSession(app.url);
    const page = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'read receive' })), browser);
    const scope = ['read', ...Array.from({ length: 1_000 }, () => 'write')];
    const { location } = await browser.post(page.url, { ...hiddenFields(page), decision: 'allow', scope });
    expect(new URL(location).searchParams.get('scope')).toBe('read');
  });

  it('a prior consent leaves a bounded number of rows, however often an app asks', async () => {
    const shop = await newOAuthApp(app);
    const browser = new BrowserSession(app.url);
    await browser.submit(await browser.get('/login'), { email: alice.email, password: PASSWORD });
    await shop.code(alice, {}, browser);
    const slow = await createTestApp({ beside: app, env: { THROTTLE_AUTHORIZATION_PAGE: '20/60' } });
    const again = new BrowserSession(slow.url);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    const count = async (): Promise<number> =>
      (await app.pool.query('SELECT count(*)::int AS n FROM oauth_grant WHERE client_id = $1', [shop.client.id])).rows[0].n as number;
    const before = await count();
    const statuses = [];
    for (let i = 0; i < 60; i++) statuses.push((await again.get(shop.authorizeUrl())).status);
    expect(await count()).toBeLessThanOrEqual(before + 20);
    expect(statuses.at(-1)).toBe(429);
    await slow.close();
  });

  it('a client that sends byte by byte is disconnected, and delays no other', async () => {
    const { port } = app.sluice.config;
    /** What becomes of a connection that its client never closes. */
    const drip = (head: string): Promise<'closed' | 'kept'> =>
      new Promise((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(head));
        const timer = setInterval(() => socket.write('x'), 500);
        const end = (outcome: 'closed' | 'kept'): void => {
          clearInterval(timer);
          socket.destroy();
          resolve(outcome);
        };
        socket.on('data', () => undefined).on('error', () => end('closed'));
        setTimeout(() => end('kept'), 60_000).unref();
      });
    const slow = Promise.all([
      drip('POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{'),
      drip(`POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM}\r\nContent-Length: 10000\r\n\r\na=`),
      drip('GET /graphql HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
    ]);
    await stillServes();
    expect(await slow).toEqual(['closed', 'closed', 'closed']);
  });
});
