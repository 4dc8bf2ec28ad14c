import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const STATUS = 'subscription ($i: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $i) { status } }';
const hash = (n: number): object => ({ i: { paymentHash: n.toString(16).padStart(64, '0') } });
const UPDATES = 'subscription { myUpdates { errors { message } } }';

/** Messages that arrive before the server can process them wait in their order, in a bounded queue. */
describe('queued WebSocket messages', () => {
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    // The test alone ends a wait for a lock.
    app = await createTestApp({ env: { DATABASE_POOL_SIZE: '20', DATABASE_LOCK_MS: '30000', DATABASE_STATEMENT_SECONDS: '60' } });
    [alice, bob] = [await new Fixture(app).user(), await new Fixture(app).user()];
  });
  afterAll(() => app.close());

  /** Locks a table: statements that need it wait meanwhile. */
  async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
    const client = await app.pool.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  /** Statements with a text: the application's own jobs meet the lock too. */
  const blocked = async (text = ''): Promise<number> => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    return (await app.pool.query(waiting, [`%${text}%`])).rowCount ?? 0;
  };

  it('are accepted before the acknowledgement: a subscription', async () => {
    const raw = await RawSocket.open(app.url);
    await whileLocked('api_key', async () => {
      raw.send({ type: 'connection_init', payload: alice.as('read') });
      for (let n = 0; n < 8; n++) raw.subscribe(String(n), STATUS, { ...hash(n) });
      await eventually(async () => (await blocked()) > 0);
      expect(raw.frames).toEqual([]);
    });
    expect(await raw.next()).toEqual({ type: 'connection_ack' });
    for (let n = 0; n < 8; n++) expect((await raw.next()).id).toMatch(/^[0-7]$/);
    await raw.leave();
  });

  it.each([
    ['more than eight', (raw: RawSocket): void => [...Array(9).keys()].forEach((n) => raw.subscribe(String(n), UPDATES))],
    [
      'more than 64 KiB',
      (raw: RawSocket): void => [1, 2, 3, 4, 5].forEach((n) => raw.send({ type: 'ping', payload: { n, a: 'x'.repeat(15_000) } })),
    ],
  ])('%s of them before the acknowledgement close with 4429', async (_what, send) => {
    const raw = await RawSocket.open(app.url);
    await whileLocked('api_key', async () => {
      // Another key each time: a key that was seen lately is cached and not looked up.
      raw.send({ type: 'connection_init', payload: _what.startsWith('more than e') ? bob.as('write') : bob.as('receive') });
      send(raw);
      expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many requests' });
    });
  });

  it('close with 4401 without connection_init, and with a bad key too', async () => {
    const early = await RawSocket.open(app.url);
    early.subscribe('1', UPDATES);
    expect((await early.closed).code).toBe(4401);
    const bad = await RawSocket.open(app.url);
    bad.send({ type: 'connection_init', payload: { 'X-API-KEY': 'nonsense' } });
    bad.subscribe('1', UPDATES);
    expect((await bad.closed).code).toBe(4401);
  });

  it('start eight operations of a socket at once; later ones wait, and are answered', async () => {
    const raw = await RawSocket.admitted(app.url, alice.as('all'));
    await whileLocked('invoice', async () => {
      for (let n = 0; n < 12; n++) raw.subscribe(String(n), STATUS, { ...hash(100 + n) });
      await eventually(async () => (await blocked('LnNoAmountInvoice')) === 8);
      raw.send({ type: 'ping' });
      const other = await RawSocket.admitted(app.url, alice.as('all'));
      await other.leave();
      expect([raw.frames.length, await blocked('LnNoAmountInvoice')]).toEqual([1, 8]);
    });
    const count = (type: string): number => raw.frames.filter((frame) => frame.type === type).length;
    await eventually(() => count('next') === 12 && count('pong') === 1);
    await raw.leave();
  });
});
