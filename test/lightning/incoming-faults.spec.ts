import { sql } from '../../src/platform/database/index.js';
import { encodeInvoice, type InvoiceSettlement } from '../../src/money/lightning/index.js';
import { ourInvoice, SATS, SimulatorFixture, take, type Process } from './simulator-fixture.js';

const AMOUNT_MSAT = 1_000n * SATS;

let fixture: SimulatorFixture;
let node: Process;
beforeAll(async () => {
  fixture = await SimulatorFixture.create();
  node = await fixture.start();
});
afterAll(() => fixture.destroy());

/** The first `count` settlements after an index. */
const settled = (count: number, afterIndex = 0n): Promise<InvoiceSettlement[]> =>
  take(count, (signal) => node.backend.invoiceSettlements(afterIndex, signal));

async function lastIndex(): Promise<bigint> {
  const { paymentRequest, paymentHash } = await ourInvoice(node);
  await node.simulator.payOutside(paymentRequest);
  const invoice = await node.backend.lookupInvoice(paymentHash);
  return invoice.status === 'settled' ? invoice.settleIndex : 0n;
}

describe('a payment from outside', () => {
  it('is refused, and leaves no trace', async () => {
    const before = (await node.simulator.listPayments()).length;
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    const open = await ourInvoice(node, null);
    const outside = await node.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT });
    const unit = { amountMsat: null, createdAtSeconds: 1, paymentHash, paymentSecret: paymentHash, description: '' };
    const pay = async (request: string, amountMsat?: bigint): Promise<string> =>
      (await node.simulator.payOutside(request, amountMsat === undefined ? {} : { amountMsat })).status;

    expect(await pay('lnbcrt1nonsense')).toBe('invalid_invoice');
    expect(await pay(encodeInvoice({ ...unit, network: 'mainnet' }, Buffer.alloc(32, 1)))).toBe('wrong_network');
    expect(await pay(encodeInvoice({ ...unit, network: 'regtest' }, Buffer.alloc(32, 1)))).toBe('unknown_invoice');
    expect(await pay(outside.paymentRequest)).toBe('unknown_invoice');
    expect(await pay(open.paymentRequest)).toBe('amount_required');
    expect(await pay(open.paymentRequest, 0n)).toBe('amount_too_low');
    expect(await pay(paymentRequest, AMOUNT_MSAT - 1n)).toBe('amount_too_low');
    expect(await pay(paymentRequest, 2n * AMOUNT_MSAT + 1n)).toBe('amount_too_high');
    expect(await pay(paymentRequest, 2n ** 70n)).toBe('amount_too_high');
    await node.backend.cancelInvoice(paymentHash);
    expect(await pay(paymentRequest)).toBe('cancelled');
    expect(await node.simulator.listPayments()).toHaveLength(before);
  });

  it('settles before the expiry or not at all', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    await expire(paymentHash);
    expect(await node.simulator.payOutside(paymentRequest)).toEqual({ status: 'expired' });
    expect(await node.backend.lookupInvoice(paymentHash)).toEqual({ status: 'cancelled' });
  });

  it('can pay more than the invoice’s amount', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    expect(await node.simulator.payOutside(paymentRequest, { amountMsat: AMOUNT_MSAT + 500n })).toMatchObject({ status: 'paid' });
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'settled', amountMsat: AMOUNT_MSAT + 500n });
  });

  it('that began before the expiry can settle after it', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    expect(await node.simulator.payOutside(paymentRequest, { faults: { hold: true } })).toMatchObject({ status: 'in_flight' });
    await expire(paymentHash);
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'open' });
    expect(await node.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'expired' });
    expect(await node.simulator.release(paymentHash)).toBe(true);
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'settled' });
  });

  it('with parts that never arrive leaves the invoice open for another one', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    expect(await node.simulator.payOutside(paymentRequest, { faults: { fail: 'timeout' } })).toEqual({ status: 'failed' });
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'open' });
    expect(await node.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
  });

  it('is returned when the invoice is cancelled', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    await node.simulator.payOutside(paymentRequest, { faults: { hold: true } });
    expect(await node.backend.cancelInvoice(paymentHash)).toBe('cancelled');
    expect(await node.simulator.release(paymentHash)).toBe(false);
    expect((await node.simulator.listPayments(1))[0]).toMatchObject({ direction: 'in', paymentHash, state: 'failed', reason: 'cancelled' });
  });

  it('can win the race against the cancellation', async () => {
    const { paymentRequest, paymentHash } = await ourInvoice(node);
    await node.simulator.payOutside(paymentRequest, { faults: { cancelRace: true } });
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'open' });
    expect(await node.backend.cancelInvoice(paymentHash)).toBe('settled');
    expect(await node.backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'settled', amountMsat: AMOUNT_MSAT });
  });

  it('cannot reach an unavailable node', async () => {
    const { paymentRequest } = await ourInvoice(node);
    await node.simulator.setAway(true);
    expect(await node.simulator.payOutside(paymentRequest)).toEqual({ status: 'unreachable' });
    await node.simulator.setAway(false);
    expect(await node.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
  });
});

describe('the settlement stream', () => {
  it('counts without a gap, unless a fault makes one', async () => {
    const start = await lastIndex();
    for (const faults of [{}, { settleIndexGap: 3 }, {}])
      await node.simulator.payOutside((await ourInvoice(node)).paymentRequest, { faults });
    expect((await settled(3, start)).map(({ settleIndex }) => settleIndex - start)).toEqual([1n, 5n, 6n]);
  });

  it('can repeat a settlement', async () => {
    const start = await lastIndex();
    await node.simulator.payOutside((await ourInvoice(node)).paymentRequest, { faults: { duplicateEvent: true } });
    expect((await settled(2, start)).map(({ settleIndex }) => settleIndex - start)).toEqual([1n, 1n]);
  });

  it('can break off, and continues from the cursor', async () => {
    const start = await lastIndex();
    for (const faults of [{}, { disconnect: true }]) await node.simulator.payOutside((await ourInvoice(node)).paymentRequest, { faults });
    expect((await settled(2, start)).map(({ settleIndex }) => settleIndex - start)).toEqual([1n]);
    expect((await settled(2, start)).map(({ settleIndex }) => settleIndex - start)).toEqual([1n, 2n]);
  });

  it('reports a delayed payment when it settles, in order', async () => {
    const start = await lastIndex();
    const [slow, quick] = [await ourInvoice(node), await ourInvoice(node)];
    const told = settled(2, start);
    await node.simulator.payOutside(slow.paymentRequest, { faults: { hold: true } });
    await node.simulator.payOutside(quick.paymentRequest);
    await node.simulator.release(slow.paymentHash);
    expect((await told).map(({ paymentHash }) => paymentHash)).toEqual([quick.paymentHash, slow.paymentHash]);
  });
});

/** Makes an invoice of our node older than its expiry. */
async function expire(paymentHash: string): Promise<void> {
  const age = sql`UPDATE simulator.invoice SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE payment_hash = $1`;
  await node.database.query(age, [paymentHash]);
}
