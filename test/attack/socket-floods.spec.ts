import { SOCKET_TIMES, SocketServer } from '../../src/edge/socket/socket-server.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { request } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const STATUS = 'subscription ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status } }';

/** A proxy counts a socket as one request, so Sluice must count each operation that is sent through it. */
describe('floods of WebSocket messages', () => {
  let app: TestApp;
  let alice: Person;
  let addresses = 0;
  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '100/60', THROTTLE_PRINCIPAL: '20/60' } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const from = (address: string): { headers: Record<string, string> } => ({ headers: { 'x-forwarded-for': address } });
  const elsewhere = (): string => `203.0.113.${++addresses}`;
  const statusOf = async (address: string): Promise<number> => (await request(`${app.url}/login`, from(address))).status;

  it.each([
    ['pings of the sub-protocol', (raw: RawSocket): void => raw.send({ type: 'ping' })],
    ['pings of WebSocket', (raw: RawSocket): void => raw.socket.ping()],
    ['unsolicited pongs', (raw: RawSocket): void => raw.socket.pong()],
    [
      'subscriptions that end at once',
      (raw: RawSocket, i: number): void => (
        raw.subscribe(String(i), 'subscription { nothing }'),
        raw.send({ type: 'complete', id: String(i) })
      ),
    ],
    ['ends of nothing', (raw: RawSocket, i: number): void => raw.send({ type: 'complete', id: String(i) })],
  ])('%s count for the bucket of the address, and for no other', async (_what, flood) => {
    const address = elsewhere();
    const raw = await RawSocket.admitted(app.url, {}, from(address));
    for (let i = 0; i < 150; i++) flood(raw, i);
    expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many requests' });
    expect(await statusOf(address)).toBe(429);
    expect(await statusOf(elsewhere())).toBe(200);
  });

  it('count before connection_init as well', async () => {
    const raw = await RawSocket.open(app.url, from(elsewhere()));
    for (let i = 0; i < 150; i++) raw.socket.ping();
    expect((await raw.closed).code).toBe(4429);
  });

  it('subscriptions count for the bucket of the principal, on all its sockets', async () => {
    const [one, other] = [
      await RawSocket.admitted(app.url, alice.as('read'), from(elsewhere())),
      await RawSocket.admitted(app.url, alice.as('read'), from(elsewhere())),
    ];
    for (let i = 0; i < 25; i++) one.subscribe(String(i), STATUS, { input: { paymentHash: 'ab'.repeat(32) } });
    expect(await one.closed).toEqual({ code: 4429, reason: 'Too many requests' });
    other.subscribe('1', STATUS, { input: { paymentHash: 'ab'.repeat(32) } });
    expect((await other.closed).code).toBe(4429);
    const free = await RawSocket.admitted(app.url, alice.as('all'), from(elsewhere()));
    await free.leave();
  });

  it('answers to the server’s pings do not count', async () => {
    const usual = jest.replaceProperty(SOCKET_TIMES, 'pingMs', 1_000);
    const quick = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '3/60' } });
    const raw = await RawSocket.admitted(quick.url, {}, from(elsewhere()));
    let pings = 0;
    raw.socket.on('ping', () => pings++);
    await eventually(() => pings >= 3);
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    await raw.leave();
    await quick.close();
    usual.restore();
  });

  it('a client that does not read its answers is closed, and nothing accumulates', async () => {
    const usual = jest.replaceProperty(SOCKET_TIMES, 'pingMs', 600_000);
    const roomy = await createTestApp();
    const sockets = (roomy.get(SocketServer) as unknown as { sockets: { clients: Set<{ bufferedAmount: number }> } }).sockets.clients;
    const raw = await RawSocket.admitted(roomy.url);
    raw.socket.pause();
    const payload = { a: 'x'.repeat(15_000) };
    let most = 0;
    for (let i = 0; i < 4_000 && sockets.size > 0; i++) {
      raw.send({ type: 'ping', payload });
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      for (const { bufferedAmount } of sockets) most = Math.max(most, bufferedAmount);
    }
    await eventually(() => sockets.size === 0);
    expect(most).toBeLessThan(4 * 2 ** 20);
    raw.socket.resume();
    expect((await raw.closed).code).toBe(1006);
    await roomy.close();
    usual.restore();
  });

  it.each([
    ['pongs', (raw: RawSocket): void => raw.socket.pong()],
    ['messages', (raw: RawSocket): void => raw.send({ type: 'complete', id: 'x' })],
  ])('a client that still sends %s after the close frame is disconnected', async (_what, flood) => {
    const small = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '10/60' } });
    const sockets = (small.get(SocketServer) as unknown as { sockets: { clients: Set<object> } }).sockets.clients;
    const raw = await RawSocket.admitted(small.url, {}, from(elsewhere()));
    // It does not read the close frame, so it does not answer it.
    raw.socket.pause();
    for (let round = 0; round < 50 && sockets.size > 0; round++) {
      for (let i = 0; i < 100; i++) flood(raw);
      // The server has read the frames by then.
      await request(`${small.url}/health/live`, from(elsewhere()));
    }
    expect(sockets.size).toBe(0);
    raw.socket.terminate();
    await small.close();
  });

  it('deeply nested variables do not close the socket', async () => {
    const raw = await RawSocket.admitted(app.url, {}, from(elsewhere()));
    const deep = '['.repeat(7_000) + ']'.repeat(7_000);
    raw.send(
      `{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(STATUS)},"variables":{"input":{"paymentHash":"${'ab'.repeat(32)}"},"more":${deep}}}}`,
    );
    expect(await raw.next()).toMatchObject({ id: '1', type: 'next' });
    raw.send(`{"id":"2","type":"subscribe","payload":{"query":${JSON.stringify(STATUS)},"variables":{"input":{"paymentHash":${deep}}}}}`);
    expect(await raw.next()).toMatchObject({ id: '1' });
    expect(await raw.next()).toMatchObject({ id: '2' });
    await raw.leave();
  });
});
