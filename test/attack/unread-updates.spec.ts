import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Events } from '../../src/platform/events/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { HistoryService } from '../../src/money/transaction/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { listenerCount, untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket } from '../support/raw-socket.js';

const SUBSCRIPTIONS = 10;
/** More than the system's buffers and the server's limit hold together. */
const EVENTS = 4_000;
const UPDATES = 'subscription { myUpdates { update { ... on LnUpdate { transaction { id memo settlementAmount createdAt } } } } }';

let app: TestApp;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp();
  alice = await new Fixture(app).user({ sats: 1_000 });
});
afterAll(() => app.close());

describe('a subscriber that stops reading its socket', () => {
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
