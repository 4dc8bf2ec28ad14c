import { randomBytes } from 'node:crypto';
import { paymentHashOf } from '../../src/platform/kernel/payment-hash.js';
import { eventually } from '../../src/testing/eventually.js';
import { paymentOf, SATS, SimulatorFixture, type Process } from './simulator-fixture.js';

const AMOUNT_MSAT = 1_000n * SATS;

let fixture: SimulatorFixture;
let node: Process;
beforeAll(async () => {
  fixture = await SimulatorFixture.create();
  node = await fixture.start();
});
afterAll(() => fixture.destroy());

interface Held {
  readonly preimage: string;
  readonly paymentHash: string;
  readonly paymentRequest: string;
}

async function held(expirySeconds = 600): Promise<Held> {
  const preimage = randomBytes(32).toString('hex');
  const made = await node.backend.createHoldInvoice({ amountMsat: AMOUNT_MSAT, expirySeconds, paymentHash: paymentHashOf(preimage) });
  if (made.status !== 'created') throw new Error(`The hold invoice was not made: ${made.status}`);
  return { preimage, ...made };
}

const statusOf = async ({ paymentHash }: Held): Promise<string> => (await node.backend.lookupInvoice(paymentHash)).status;
const receivedMsat = async (): Promise<bigint> => (await node.simulator.balances()).receivedMsat;

describe('a hold invoice of the simulator', () => {
  it('is cancelled by the node before what waits there expires, and the payer has lost nothing', async () => {
    const before = await receivedMsat();
    const invoice = await held();
    const { status } = await node.simulator.payOutside(invoice.paymentRequest, { faults: { acceptedMs: 1 } });
    expect(status).toBe('in_flight');
    await eventually(async () => (await statusOf(invoice)) === 'cancelled');
    expect(await node.backend.settleHoldInvoice(invoice.preimage)).toBe('cancelled');
    const [payment] = await node.simulator.listPayments(1);
    expect(payment).toMatchObject({ paymentHash: invoice.paymentHash, state: 'failed', reason: 'cancelled' });
    expect(await receivedMsat()).toBe(before);
  });

  it('outlives its own expiry while a payment waits, and not otherwise', async () => {
    const [paid, unpaid] = [await held(1), await held(1)];
    await node.simulator.payOutside(paid.paymentRequest);
    await eventually(async () => (await statusOf(unpaid)) === 'cancelled');
    expect(await node.backend.settleHoldInvoice(unpaid.preimage)).toBe('cancelled');
    expect(await statusOf(paid)).toBe('accepted');
    expect(await node.backend.settleHoldInvoice(paid.preimage)).toBe('settled');
  });

  it('accepts one payment, which moves money when it is settled', async () => {
    const before = await receivedMsat();
    const invoice = await held();
    await node.simulator.payOutside(invoice.paymentRequest);
    expect((await node.simulator.payOutside(invoice.paymentRequest)).status).toBe('already_paid');
    expect(await receivedMsat()).toBe(before);
    expect(await node.backend.settleHoldInvoice(invoice.preimage)).toBe('settled');
    expect(await receivedMsat()).toBe(before + AMOUNT_MSAT);
    expect((await node.simulator.payOutside(invoice.paymentRequest)).status).toBe('already_paid');
  });

  it('waits for a payment that is on its way', async () => {
    const invoice = await held();
    await node.simulator.payOutside(invoice.paymentRequest, { faults: { hold: true } });
    expect(await node.backend.settleHoldInvoice(invoice.preimage)).toBe('not_accepted');
    await node.simulator.release(invoice.paymentHash);
    expect(await statusOf(invoice)).toBe('accepted');
    expect(await node.backend.settleHoldInvoice(invoice.preimage)).toBe('settled');
  });

  it('is either settled or cancelled, whatever several processes ask at once', async () => {
    const other = await fixture.start();
    const before = await receivedMsat();
    let settled = 0n;
    for (let round = 0; round < 6; round++) {
      const invoice = await held();
      await node.simulator.payOutside(invoice.paymentRequest);
      const [first, second] = round % 2 === 0 ? [node, other] : [other, node];
      const answers = await Promise.all([
        first.backend.settleHoldInvoice(invoice.preimage),
        second.backend.cancelInvoice(invoice.paymentHash),
        second.backend.settleHoldInvoice(invoice.preimage),
      ]);
      const status = await statusOf(invoice);
      expect(answers).toEqual([status, status, status]);
      if (status === 'settled') settled += 1n;
    }
    expect(await receivedMsat()).toBe(before + settled * AMOUNT_MSAT);
  });
});

it('a fee probe of the simulator follows the faults of the route', async () => {
  const probe = async (faults: Parameters<typeof node.simulator.setFaults>[1]): Promise<unknown> => {
    const { paymentRequest } = await node.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT, faults });
    return node.backend.probeFee(paymentOf(paymentRequest));
  };
  expect(await probe({})).toEqual({ status: 'known', feeMsat: 2_000n });
  expect(await probe({ routeFeeMsat: 7n })).toEqual({ status: 'known', feeMsat: 7n });
  expect(await probe({ routeFeeMsat: 'limit' })).toEqual({ status: 'known', feeMsat: 10n * SATS });
  expect(await probe({ routeFeeMsat: 11n * SATS })).toEqual({ status: 'no_route' });
  expect(await probe({ fail: 'no_route' })).toEqual({ status: 'no_route' });
  // Only a payment finds out that the payee refuses it.
  expect(await probe({ fail: 'rejected' })).toEqual({ status: 'known', feeMsat: 2_000n });
});
