import { EventEmitter, once } from 'node:events';
import { SettlementStore } from '../../src/money/invoice/settlement/settlement.store.js';
import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import { LightningBackend, type InvoiceSettlement } from '../../src/money/lightning/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

/** A node may restart its settle index, and its stream may be silent. Sluice credits the money all the same, once. */
describe('a settlement', () => {
  let app: TestApp;
  let fixture: Fixture;
  let bob: Person;
  beforeEach(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    bob = await fixture.user({ sats: 100 });
    for (let sats = 1; sats <= 4; sats++) await fixture.fund(bob, sats);
    // The money may be credited by a look-up, before the stream's place is stored.
    await eventually(async () => (await cursor())?.settle_index === 5n);
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    await app.close();
  });

  const payOutside = async (...requests: string[]): Promise<void> => {
    for (const request of requests) expect(await fixture.simulator.payOutside(request)).toMatchObject({ status: 'paid' });
  };
  const invoices = (count: number): Promise<{ paymentRequest: string; paymentHash: string }[]> =>
    Promise.all(Array.from({ length: count }, () => bob.invoice(1_000)));
  const credits = async (hashes: readonly string[]): Promise<number[]> => {
    const { rows } = await app.pool.query<{ n: number }>(
      `SELECT (SELECT count(*)::int FROM transaction t WHERE t.payment_hash = h AND t.direction = 'RECEIVE') AS n FROM unnest($1::text[]) AS h`,
      [hashes],
    );
    return rows.map(({ n }) => n);
  };
  const cursor = async (): Promise<{ settle_index: bigint; epoch: number } | undefined> =>
    (await app.pool.query<{ settle_index: bigint; epoch: number }>('SELECT settle_index, epoch FROM settlement_cursor')).rows[0];
  const alarms = (of: TestApp = app): string[] => of.logs.filter((line) => line.includes('settlement_index_restarted'));

  it('after the node was restored and counts from the start is credited once, and the operator gets a log line', async () => {
    const made = await invoices(5);
    const before = await cursor();
    await fixture.simulator.restore();
    await payOutside(...made.map(({ paymentRequest }) => paymentRequest));
    await eventually(async () => (await bob.sats()) === 5_110);
    expect(await credits(made.map(({ paymentHash }) => paymentHash))).toEqual([1, 1, 1, 1, 1]);
    await eventually(async () => (await cursor())?.settle_index === 5n);
    expect((await cursor())?.epoch).toBe(1);
    expect(before).toEqual({ settle_index: 5n, epoch: 0 });
    expect(alarms()).toHaveLength(1);
    expect(await app.get(Metrics).text()).toContain('sluice_settlement_index_restarts_total 1');
    // The new index continues as the old one did.
    await fixture.fund(bob, 7);
    // The money is credited before the stream's place is stored.
    await eventually(async () => (await cursor())?.settle_index === 6n);
    expect((await cursor())?.epoch).toBe(1);
    expect(await credits(made.map(({ paymentHash }) => paymentHash))).toEqual([1, 1, 1, 1, 1]);
    expect(alarms()).toHaveLength(1);
  });

  it('is credited once after a restore while two processes listen', async () => {
    const beside = await createTestApp({ beside: app });
    try {
      const made = await invoices(5);
      await fixture.simulator.restore();
      await payOutside(...made.map(({ paymentRequest }) => paymentRequest));
      await eventually(async () => (await bob.sats()) === 5_110);
      await eventually(async () => (await cursor())?.settle_index === 5n);
      await fixture.fund(bob, 1);
      expect(await credits(made.map(({ paymentHash }) => paymentHash))).toEqual([1, 1, 1, 1, 1]);
      await eventually(async () => (await cursor())?.settle_index === 6n);
      expect(alarms().length + alarms(beside).length).toBe(1);
    } finally {
      await beside.close();
    }
  });

  it('that was booked and lost in a failover is booked again, also while the stream goes through it', async () => {
    const store = app.get(SettlementStore);
    const book = store.book.bind(store);
    let lost = 0;
    // What the stream has booked last is missing in the database that takes over; what the stream waits for is not interrupted.
    const lossy = jest.spyOn(store, 'book').mockImplementation(async (nodeId, place, settlements) => {
      if (place === null) return book(nodeId, place, settlements);
      lost += settlements.length;
      return { codes: settlements.map(() => 'credited' as const), wentBack: false, epoch: 0 };
    });
    const [invoice] = await invoices(1);
    if (!invoice) throw new Error('The invoice was not created');
    await payOutside(invoice.paymentRequest);
    await eventually(() => lost > 0);
    lossy.mockRestore();
    await eventually(async () => (await credits([invoice.paymentHash])).join() === '1');
    await eventually(async () => (await cursor())?.settle_index === 6n);
    expect(await cursor()).toEqual({ settle_index: 6n, epoch: 0 });
    expect(alarms()).toEqual([]);

    const { rows } = await app.pool.query<{ id: string }>('SELECT node_id AS id FROM settlement_cursor');
    const later = { settleIndex: 8n, paymentHash: invoice.paymentHash, amountMsat: 1_000_000n };
    // It has booked number 7, and the database does not have it: number 8 does not move the cursor, and the stream is read again.
    expect(await book(rows[0]?.id ?? '', { epoch: 0, settleIndex: 7n }, [later])).toMatchObject({ codes: ['seen'], epoch: null });
    expect(await cursor()).toEqual({ settle_index: 6n, epoch: 0 });
  });

  it('with an index below the cursor is found by a lookup after the invoice’s expiry, and the cursor restarts', async () => {
    // As a real node does: asked for settlements after 1000, it never reports 6.
    await app.pool.query('UPDATE settlement_cursor SET settle_index = 1000, settle_hash = NULL');
    await fixture.simulator.setAway(true);
    await eventually(() => app.get(SettlementStreamService).heardMs === 0);
    await fixture.simulator.setAway(false);
    await eventually(() => app.get(SettlementStreamService).heardMs > 0);
    const [invoice] = await invoices(1);
    if (!invoice) throw new Error('The invoice was not created');
    await payOutside(invoice.paymentRequest);
    await new TimeTravel(app).invoice(invoice.paymentHash, 4 * 3_600 + 360);
    await eventually(async () => (await bob.sats()) === 1_110);
    await eventually(async () => (await cursor())?.settle_index === 6n);
    expect(await credits([invoice.paymentHash])).toEqual([1]);
    expect(alarms()).toHaveLength(1);
  });

  it('is found by a lookup while the stream is silent, which never moves the cursor', async () => {
    const node = app.get(LightningBackend);
    const settlements = node.invoiceSettlements.bind(node);
    let mute = true;
    const ended = new EventEmitter();
    node.invoiceSettlements = async function* (after, signal): AsyncGenerator<InvoiceSettlement> {
      if (!mute) return yield* settlements(after, signal);
      await Promise.race([once(signal, 'abort'), once(ended, 'end')]);
    };
    const lost = await bob.invoice(1);
    expect(await fixture.simulator.payOutside(lost.paymentRequest, { faults: { disconnect: true } })).toMatchObject({ status: 'paid' });
    const [late, open] = await invoices(2);
    if (!late || !open) throw new Error('The invoice was not created');
    await payOutside(late.paymentRequest);
    await new TimeTravel(app).invoice(late.paymentHash, 4 * 3_600 + 360);
    // The walk after the gap finds `lost`, the look-up after its expiry finds `late`.
    await eventually(async () => (await credits([lost.paymentHash, late.paymentHash, open.paymentHash])).join() === '1,1,0');
    expect(await cursor()).toEqual({ settle_index: 5n, epoch: 0 });
    mute = false;
    expect(alarms()).toEqual([]);
    // The next stream reports each of them once more.
    ended.emit('end');
    await eventually(async () => (await cursor())?.settle_index === 7n);
    expect(await credits([lost.paymentHash, late.paymentHash, open.paymentHash])).toEqual([1, 1, 0]);
    expect(await bob.sats()).toBe(1_111);
  });
});
