import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Events } from '../../src/platform/events/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { HistoryService } from '../../src/money/transaction/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { listenerCount, untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket } from '../support/raw-socket.js';

let app: TestApp;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp();
  alice = await new Fixture(app).user({ sats: 1_000 });
});
afterAll(() => app.close());

describe('a subscriber that stops reading its socket', () => {
  const SUBSCRIPTIONS = 10;
  /** More than the system's buffers and the server's limit hold together. */
  const EVENTS = 4_000;
  const UPDATES = 'subscription { myUpdates { update { ... on LnUpdate { transaction { id memo settlementAmount createdAt } } } } }';

  it('takes no memory without a limit: its streams end, and it is disconnected when it reads again', async () => {
    const events = app.get(Events);
    const [row] = await app
      .get(HistoryService)
      .list({ walletId: alice.wallets.BTC }, { limit: 1, forward: true, after: undefined, before: undefined });
    if (!row) throw new Error('There is no transaction');
    const raw = await RawSocket.admitted(app.url, alice.as('read'));
    await untilListening(
      app,
      'transaction.changed',
      alice.accountId,
      () => Array.from({ length: SUBSCRIPTIONS }, (_, n) => raw.subscribe(String(n), UPDATES)),
      SUBSCRIPTIONS,
    );

    const { _socket: stream } = raw.socket as unknown as { _socket: Duplex };
    stream.pause();
    for (let n = 0; n < EVENTS; n++) {
      events.notify('transaction.changed', { ...row, memo: 'x'.repeat(600) }, alice.accountId);
      await setImmediate();
    }
    await eventually(() => listenerCount(app, 'transaction.changed', alice.accountId) === 0);

    stream.resume();
    expect(await raw.closed).toEqual({ code: 1013, reason: 'Too slow' });
    expect(raw.frames.length).toBeLessThan(EVENTS * SUBSCRIPTIONS);
    expect(app.logs.filter((line) => /_unexpected_error/.test(line))).toEqual([]);
  });
});

/** Each fragment is kept until the last one has arrived: a few bytes on the wire, hundreds in memory, and no message to count. */
describe('WebSocket messages in many fragments', () => {
  it('close the connection', async () => {
    const raw = await RawSocket.admitted(app.url);
    for (let i = 0; i < 1_000; i++) raw.socket.send('a', { fin: false });
    expect((await raw.closed).code).toBe(1008);
  });

  it('are accepted while they are few', async () => {
    const raw = await RawSocket.admitted(app.url);
    const text = JSON.stringify({ type: 'ping', payload: { a: 'b' } });
    [...text].forEach((letter, i) => raw.socket.send(letter, { fin: i === text.length - 1 }));
    expect(await raw.next()).toEqual({ type: 'pong', payload: { a: 'b' } });
    await raw.leave();
  });
});
