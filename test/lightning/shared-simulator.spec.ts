import { sql } from '../../src/platform/database/index.js';
import { ourInvoice, paymentOf, SATS, SimulatorFixture, take, type Process } from './simulator-fixture.js';

const AMOUNT_MSAT = 100n * SATS;

let fixture: SimulatorFixture;
let [first, second]: Process[] = [];
const both = (): [Process, Process] => {
  if (!first || !second) throw new Error('A process has not started');
  return [first, second];
};
beforeAll(async () => {
  fixture = await SimulatorFixture.create();
  [first, second] = await Promise.all([fixture.start(), fixture.start()]);
});
afterAll(() => fixture.destroy());

describe('two processes with one simulator', () => {
  it('share one node', () => {
    const [one, other] = both();
    expect(one.backend.nodeId).toBe(other.backend.nodeId);
  });

  it('see each other’s changes at once', async () => {
    const [one, other] = both();
    const invoice = await ourInvoice(one);
    expect(await other.backend.lookupInvoice(invoice.paymentHash)).toMatchObject({ status: 'open' });
    expect(await other.simulator.payOutside(invoice.paymentRequest)).toMatchObject({ status: 'paid' });
    expect(await one.backend.lookupInvoice(invoice.paymentHash)).toMatchObject({ status: 'settled' });
  });

  it('receive each other’s events while both run', async () => {
    const [one, other] = both();
    const invoice = await ourInvoice(one);
    const told = take(1, (signal) => one.backend.invoiceSettlements(0n, signal));
    await told;
    const live = new AbortController();
    const stream = one.backend.invoiceSettlements((await lastIndex(one)) ?? 0n, live.signal)[Symbol.asyncIterator]();
    const next = stream.next();
    await other.simulator.payOutside(invoice.paymentRequest);
    expect(await next).toMatchObject({ value: { paymentHash: invoice.paymentHash } });
    live.abort();
  });

  it('pay an invoice once in many requests', async () => {
    const processes = both();
    const [one] = processes;
    const before = await one.simulator.balances();
    const requests = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const faults = index % 2 ? { delayMs: 20 } : {};
        return paymentOf((await one.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT, faults })).paymentRequest);
      }),
    );
    const outcomes = await Promise.all(
      requests.flatMap((request) => processes.flatMap(({ backend }) => [backend.pay(request), backend.pay(request)])),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['settled']));
    const after = await one.simulator.balances();
    expect(after.sentMsat - before.sentMsat).toBe(20n * AMOUNT_MSAT);
  });

  it('let one of many payers pay an invoice', async () => {
    const processes = both();
    const [one] = processes;
    const before = await one.simulator.balances();
    for (let round = 0; round < 4; round++) {
      const { paymentRequest } = await ourInvoice(one, AMOUNT_MSAT);
      const payers = [...processes, ...processes, ...processes];
      const results = await Promise.all(payers.map(({ simulator }) => simulator.payOutside(paymentRequest)));
      expect(results.map(({ status }) => status).toSorted()).toEqual([...new Array<string>(5).fill('already_paid'), 'paid']);
    }
    const after = await one.simulator.balances();
    expect(after.receivedMsat - before.receivedMsat).toBe(4n * AMOUNT_MSAT);
  });

  it('either cancel an invoice or receive its payment', async () => {
    const [one, other] = both();
    const seen = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const { paymentRequest, paymentHash } = await ourInvoice(one, AMOUNT_MSAT);
      const [cancelled, paid] = await Promise.all([one.backend.cancelInvoice(paymentHash), other.simulator.payOutside(paymentRequest)]);
      seen.add(`${cancelled} ${paid.status}`);
    }
    for (const story of seen) expect(['cancelled cancelled', 'cancelled failed', 'settled paid']).toContain(story);
  });

  it('end what is due once, in an order without a gap for listeners', async () => {
    const processes = both();
    const [one] = processes;
    const start = await lastIndex(one);
    const count = 24;
    const listeners = processes.map(({ backend }) => take(count, (signal) => backend.invoiceSettlements(start ?? 0n, signal)));
    const paid = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const invoice = await ourInvoice(one, AMOUNT_MSAT);
        await processes[index % 2]?.simulator.payOutside(invoice.paymentRequest, {
          faults: index % 3 ? { delayMs: (index * 7) % 90 } : {},
        });
        return invoice.paymentHash;
      }),
    );
    const [told, toldToo] = await Promise.all(listeners);
    expect(told?.map(({ paymentHash }) => paymentHash).toSorted()).toEqual(paid.toSorted());
    expect(toldToo).toEqual(told);
    expect(told?.map(({ settleIndex }) => settleIndex - (start ?? 0n))).toEqual(
      Array.from({ length: count }, (_, index) => BigInt(index + 1)),
    );
  });
});

describe('a process that dies', () => {
  it('leaves its payments to the others', async () => {
    const [one] = both();
    const victim = await fixture.start();
    const { paymentRequest } = await one.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT, faults: { delayMs: 600_000 } });
    const request = paymentOf(paymentRequest);
    const outcome = victim.backend.pay(request);
    while ((await one.backend.lookupPayment(request.paymentHash)).status !== 'in_flight');
    await victim.stop();
    expect(await outcome).toEqual({ status: 'unknown' });
    // Only now it is due.
    await one.database.query(sql`UPDATE simulator.payment SET due_at = now() WHERE payment_hash = $1`, [request.paymentHash]);
    expect(await one.backend.pay(request)).toMatchObject({ status: 'settled' });
  });

  it('continues where it was when it starts again', async () => {
    const before = await fixture.start();
    const paid = await ourInvoice(before);
    await before.simulator.payOutside(paid.paymentRequest);
    const index = await lastIndex(before);
    const missed = await ourInvoice(before);
    const { paymentRequest } = await before.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT, faults: { hold: true } });
    const request = paymentOf(paymentRequest, { timeoutSeconds: 0 });
    expect(await before.backend.pay(request)).toEqual({ status: 'unknown' });
    await before.simulator.payOutside(missed.paymentRequest);
    await before.stop();

    const after = await fixture.start();
    expect(after.backend.nodeId).toBe(before.backend.nodeId);
    const [settlement] = await take(1, (signal) => after.backend.invoiceSettlements(index ?? 0n, signal));
    expect(settlement?.paymentHash).toBe(missed.paymentHash);
    expect(await after.backend.lookupPayment(request.paymentHash)).toEqual({ status: 'in_flight' });
    await after.simulator.release(request.paymentHash);
    expect(await after.backend.pay(request)).toMatchObject({ status: 'settled' });
  });
});

/** The index of the newest settlement. */
async function lastIndex({ database }: Process): Promise<bigint | undefined> {
  const rows = await database.query<{ last_index: bigint }>(sql`SELECT last_index FROM simulator.node WHERE name = 'outside'`);
  return rows[0]?.last_index;
}
