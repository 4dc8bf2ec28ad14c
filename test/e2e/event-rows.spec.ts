import type { Tx } from '../../src/platform/database/index.js';
import { Events } from '../../src/platform/events/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { HistoryService, type TransactionRow } from '../../src/money/transaction/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const outboxOf = (app: TestApp): Tx & { close(): void } => (app.get(Events) as unknown as { outbox: Tx & { close(): void } }).outbox;

/** From now on this process reads no event; @returns a function after which it does. */
async function pauseReading(app: TestApp): Promise<() => void> {
  const { outbox } = app.get(Events) as unknown as { outbox: { read(isHeard: unknown): Promise<unknown> } };
  const read = outbox.read.bind(outbox);
  let resume = (): void => undefined;
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  let waits = false;
  outbox.read = async (isHeard) => {
    waits = true;
    await resumed;
    return read(isHeard);
  };
  await eventually(() => waits);
  return () => {
    outbox.read = read;
    resume();
  };
}

/** Until this process has read the events that are committed now. */
async function untilRead(app: TestApp): Promise<void> {
  let isRead = false;
  const off = app.get(Events).on('credential.revoked', () => void (isRead = true), 'a mark');
  await app.pool.query(`SELECT event_add(ARRAY['credential.revoked'], ARRAY['a mark'], ARRAY['{}'::jsonb])`);
  await eventually(() => isRead);
  off();
}

/** An event names a row and its state; a process that has a handler reads the row. */
describe('the rows of events', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  let logged: number;
  let off: (() => void)[];
  let query: Tx['query'];

  beforeAll(async () => {
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
    query = outboxOf(app).query;
  });
  beforeEach(async () => {
    [logged, off] = [app.logs.length, []];
    alice = await fixture.user({ sats: 1_000 });
    await untilRead(app);
  });
  afterEach(async () => {
    outboxOf(app).query = query;
    off.forEach((each) => each());
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const lines = (event: string): string[] => app.logs.slice(logged).filter((line) => line.includes(event));

  /** Statements on the event connection, beside the reads of events, that read rows of the history. */
  const countReads = (): (() => number) => {
    const outbox = outboxOf(app);
    let reads = 0;
    outbox.query = (statement, values) => {
      if (statement.text.includes('FROM transaction r')) reads++;
      return query.call(outbox, statement, values) as never;
    };
    return () => reads;
  };
  /** One page of this many events of the history of `person`, of payments of 1, 2, 3 ... satoshis. */
  const receive = async (person: Person, count: number): Promise<void> => {
    const before = await person.sats();
    const amounts = Array.from({ length: count }, (_, index) => index + 1);
    const resume = await pauseReading(app);
    for (const sats of amounts) await fixture.simulator.payOutside((await person.invoice(sats)).paymentRequest);
    await eventually(async () => (await person.sats()) === before + amounts.reduce((sum, sats) => sum + sats));
    resume();
  };
  const changesOf = ({ accountId }: Person): TransactionRow[] => {
    const rows: TransactionRow[] = [];
    off.push(app.get(Events).on('transaction.changed', (row) => void rows.push(row), accountId));
    return rows;
  };

  it('are stored by no event: a stored event is an id and a state', async () => {
    await alice.pay((await fixture.outside(10)).paymentRequest);
    const { rows } = await app.pool.query<{ topic: string; keys: string[] }>(
      `SELECT DISTINCT topic, (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(payload) k) AS keys
         FROM event, unnest(topics, payloads) AS item (topic, payload) WHERE topic <> 'credential.revoked' ORDER BY topic`,
    );
    expect(rows).toEqual([
      { topic: 'invoice.changed', keys: ['state'] },
      { topic: 'transaction.changed', keys: ['amount', 'fee', 'id', 'status'] },
    ]);
  });

  it('are delivered as they were at each event, though the payment has ended since', async () => {
    const heard = changesOf(alice);
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    const { BTC } = alice.wallets;
    const stored = (): Promise<TransactionRow[]> => app.get(HistoryService).listByHash(BTC, paymentHash);
    const resume = await pauseReading(app);
    await alice.pay(paymentRequest);
    const pending = await stored();
    await fixture.release(paymentHash);
    await eventually(async () => (await stored())[0]?.status === 'SUCCESS');
    resume();
    await eventually(() => heard.length === 2);
    expect(heard).toEqual([...pending, ...(await stored())]);
    expect(heard.map(({ status, preimage }) => [status, preimage !== null])).toEqual([
      ['PENDING', false],
      ['SUCCESS', true],
    ]);
  });

  it('are read in one statement a page, and only where a handler listens', async () => {
    const reads = countReads();
    await receive(alice, 9);
    await untilRead(app);
    expect(reads()).toBe(0);

    const heard = changesOf(alice);
    await receive(alice, 9);
    await eventually(() => heard.length === 9);
    expect(heard.map(({ amount }) => Number(amount)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((sats) => sats * 1_000));
    expect(reads()).toBe(1);
  });

  it('are read together with the events while those are few', async () => {
    const reads = countReads();
    const heard = changesOf(alice);
    await receive(alice, 3);
    await eventually(() => heard.length === 3);
    expect(reads()).toBe(0);
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM transaction WHERE account_id = $1', [alice.accountId]);
    const stored = await Promise.all(rows.map(({ id }) => app.get(HistoryService).findById(id)));
    expect(stored).toEqual(expect.arrayContaining(heard));
  });

  it.each([['nonsense'], ['00000000-0000-4000-8000-000000000000']])('that an event names wrongly (%s) stop no other event', async (id) => {
    const heard = changesOf(alice);
    await app.pool.query(`SELECT event_add(ARRAY['transaction.changed'], ARRAY[$1::text], ARRAY[jsonb_build_object('id', $2::text)])`, [
      alice.accountId,
      id,
    ]);
    await untilRead(app);
    await receive(alice, 1);
    await eventually(() => heard.length === 1);
    expect(heard[0]).toMatchObject({ status: 'SUCCESS', amount: 1_000n });
  });

  it.each<[what: string, breakConnection: (outbox: { close(): void }) => void, error: Error]>([
    ['because the server ends the connection', () => undefined, Object.assign(new Error('planted'), { code: '57P01' })],
    ['because the network is gone', (outbox) => outbox.close(), Object.assign(new Error('planted'), { code: 'ENETUNREACH' })],
  ])('that could not be read %s are read again: no event is lost', async (_what, breakConnection, error) => {
    const heard = changesOf(alice);
    const outbox = outboxOf(app);
    let failures = 2;
    outbox.query = async (statement, values) => {
      if (statement.text.includes('FROM transaction r') && failures-- > 0) {
        breakConnection(outbox);
        throw error;
      }
      return query.call(outbox, statement, values) as never;
    };
    await receive(alice, 9);
    await eventually(() => heard.length === 9);
    expect(heard.every(({ status }) => status === 'SUCCESS')).toBe(true);
    // At most once in half a minute.
    expect(app.logs.filter((line) => line.includes('events_read_failed'))).not.toEqual([]);
  });

  it('that a faulty reader cannot read are dropped and logged, and other events arrive', async () => {
    const events = app.get(Events);
    let read: () => Promise<{ state: 'paid' }[]> = () => Promise.reject(new TypeError('planted'));
    events.readRows('invoice.changed', () => read());
    const heard: string[] = [];
    for (const key of ['one', 'two']) off.push(events.on('invoice.changed', (_event, hash) => void heard.push(hash), key));
    const add = (...keys: string[]): Promise<unknown> =>
      app.pool.query(
        `SELECT event_add(array_agg('invoice.changed'::text), array_agg(k), array_agg('{}'::jsonb)) FROM unnest($1::text[]) k`,
        [keys],
      );

    await add('one', 'two');
    await untilRead(app);
    // A list that is too short would give an event the row of another.
    read = () => Promise.resolve([{ state: 'paid' }]);
    await add('one', 'two');
    await untilRead(app);
    expect(heard).toEqual([]);
    expect(lines('events_reader_failed')).toHaveLength(2);

    await add('one');
    await untilRead(app);
    expect(heard).toEqual(['one']);
  });

  it('reach other handlers when one fails, and the log names the place that registered it', async () => {
    const failing = (): Promise<void> => Promise.reject(new Error('planted'));
    off.push(app.get(Events).on('transaction.changed', failing));
    const heard = changesOf(alice);
    await receive(alice, 1);
    await eventually(() => heard.length === 1 && lines('events_handler_failed').length > 0);
    expect(lines('events_handler_failed')[0]).toContain('event-rows.spec.ts');
  });

  it('of revocations have no reader', () => {
    expect(() => app.get(Events).readRows('credential.revoked', () => Promise.resolve([]))).toThrow('no reader may drop or delay one');
  });

  it('have one reader a topic', () => {
    expect(() => app.get(Events).readRows('transaction.changed', () => Promise.resolve([]))).toThrow('have a reader already');
  });
});
