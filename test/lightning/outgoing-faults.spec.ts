import { sql } from '../../src/platform/database/index.js';
import {
  PAYMENT_FAILURES,
  type Faults,
  type FinalPayment,
  type OutsideInvoice,
  type PaymentRequest,
} from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { FEE_LIMIT_MSAT, listenToOutcomes, paymentOf, SATS, SimulatorFixture, take, type Process } from './simulator-fixture.js';

const AMOUNT_MSAT = 1_000n * SATS;
const UNKNOWN = { status: 'unknown' };
const IN_FLIGHT = { status: 'in_flight' };

let fixture: SimulatorFixture;
let node: Process;
let listening: AbortController;
beforeAll(async () => {
  fixture = await SimulatorFixture.create();
  node = await fixture.start();
});
beforeEach(() => (listening = new AbortController()));
afterEach(() => listening.abort());
afterAll(() => fixture.destroy());

const invoiced = (faults: Faults, wish: { ageSeconds?: number } = {}): Promise<OutsideInvoice> =>
  node.simulator.createOutsideInvoice({ amountMsat: AMOUNT_MSAT, faults, ...wish });

async function asked(faults: Faults, over: Partial<PaymentRequest> = {}): Promise<PaymentRequest> {
  return paymentOf((await invoiced(faults)).paymentRequest, over);
}

/** Polls the node until the payment has ended. */
async function ended(paymentHash: string): Promise<unknown> {
  for (;;) {
    const status = await node.backend.lookupPayment(paymentHash);
    if (status.status !== 'in_flight') return status;
  }
}

describe('an outgoing payment', () => {
  it.each(PAYMENT_FAILURES)('fails for the configured reason: %s', async (reason) => {
    const request = await asked({ fail: reason });
    expect(await node.backend.pay(request)).toEqual({ status: 'failed', reason });
    expect(await node.backend.lookupPayment(request.paymentHash)).toEqual({ status: 'failed', reason });
  });

  it('fails when the invoice has expired', async () => {
    const { paymentRequest } = await invoiced({}, { ageSeconds: 3_601 });
    expect(await node.backend.pay(paymentOf(paymentRequest))).toEqual({ status: 'failed', reason: 'expired' });
  });

  it('is rejected for another amount than the invoice’s', async () => {
    const rejected = { status: 'failed', reason: 'rejected' };
    for (const amountMsat of [AMOUNT_MSAT - 1n, 2n * AMOUNT_MSAT + 1n, 0n, -1n]) {
      expect(await node.backend.pay(await asked({}, { amountMsat }))).toEqual(rejected);
    }
  });

  it('fails with no_route when its hash belongs to another invoice', async () => {
    const { paymentHash } = await invoiced({});
    const other = await invoiced({});
    expect(await node.backend.pay({ ...paymentOf(other.paymentRequest), paymentHash })).toEqual({ status: 'failed', reason: 'no_route' });
  });

  it('is held until it is released, to either outcome', async () => {
    for (const [fail, expected] of [
      [undefined, { status: 'settled' }] as const,
      ['no_route', { status: 'failed', reason: 'no_route' }] as const,
    ]) {
      const request = await asked({ hold: true });
      const outcome = node.backend.pay(request);
      while (!(await node.simulator.release(request.paymentHash, fail)));
      expect(await outcome).toMatchObject(expected);
      expect(await node.simulator.release(request.paymentHash)).toBe(false);
    }
  });

  it('is unknown when the answer is lost, though it settles', async () => {
    const request = await asked({ dropResponse: true });
    expect(await node.backend.pay(request)).toEqual(UNKNOWN);
    expect(await node.backend.lookupPayment(request.paymentHash)).toMatchObject({ status: 'settled' });
  });

  it('is unknown when the answer is lost, and fails later', async () => {
    const request = await asked({ dropResponse: true, delayMs: 600_000, fail: 'no_route' });
    expect(await node.backend.pay(request)).toEqual(UNKNOWN);
    expect(await node.backend.lookupPayment(request.paymentHash)).toEqual(IN_FLIGHT);
    await node.database.query(sql`UPDATE simulator.payment SET due_at = now() WHERE payment_hash = $1`, [request.paymentHash]);
    expect(await ended(request.paymentHash)).toEqual({ status: 'failed', reason: 'no_route' });
  });

  it('is unknown when the request is lost, and not found then', async () => {
    const request = await asked({ lost: true });
    expect(await node.backend.pay(request)).toEqual(UNKNOWN);
    expect(await node.backend.lookupPayment(request.paymentHash)).toEqual({ status: 'not_found' });
  });

  it('is not_sent when the request does not leave, and not found then', async () => {
    const request = await asked({ notSent: true });
    expect(await node.backend.pay(request)).toEqual({ status: 'not_sent' });
    expect(await node.backend.lookupPayment(request.paymentHash)).toEqual({ status: 'not_found' });
  });

  it('is reported in flight as soon as the node has it, and otherwise not', async () => {
    const said: string[] = [];
    const pay = async (name: string, faults: Faults): Promise<PaymentRequest> => {
      const request = await asked(faults, { timeoutSeconds: 0.05, onInFlight: () => said.push(name) });
      await node.backend.pay(request);
      return request;
    };
    const held = await pay('held', { hold: true });
    for (const faults of [{ lost: true }, { notSent: true }, { dropResponse: true, hold: true }, {}])
      await pay(JSON.stringify(faults), faults);
    expect(said).toEqual(['held']);
    await node.simulator.release(held.paymentHash);
  });

  it('increases the payment index, and a node that lost the latest has an earlier one', async () => {
    const index = async (): Promise<bigint> => (await node.backend.latestPaymentIndex()) as bigint;
    const before = await index();
    const request = await asked({ fail: 'no_route' });
    await node.backend.pay(request);
    expect(await index()).toBeGreaterThan(before);
    await node.simulator.setForgotten(request.paymentHash, true);
    expect(await index()).toBe(before);
    expect(await node.backend.lookupPayment(request.paymentHash)).toEqual({ status: 'not_found' });
    await node.simulator.setForgotten(request.paymentHash, false);
    expect(await node.backend.lookupPayment(request.paymentHash)).toMatchObject({ status: 'failed' });
    for (const says of ['unknown', 'unsupported'] as const) {
      await node.simulator.setPaymentIndex(says);
      expect(await node.backend.latestPaymentIndex()).toBe(says);
    }
    await node.simulator.setPaymentIndex('exact');
  });

  it('is sent once, in repeated requests during and after its flight', async () => {
    const request = await asked({ hold: true }, { timeoutSeconds: 0.05 });
    expect(await Promise.all([node.backend.pay(request), node.backend.pay(request)])).toEqual([UNKNOWN, UNKNOWN]);
    await node.simulator.release(request.paymentHash);
    const outcome = await node.backend.pay(request);
    expect(outcome).toMatchObject({ status: 'settled' });
    expect(await node.backend.pay({ ...request, feeLimitMsat: 0n })).toEqual(outcome);
    const attempts = (await node.simulator.listPayments()).filter(({ paymentHash }) => paymentHash === request.paymentHash);
    expect(attempts).toHaveLength(1);
  });
});

describe('its fee', () => {
  it.each<[string, Faults, bigint | 'no_route']>([
    ['is the route’s', { routeFeeMsat: 1_234n }, 1_234n],
    ['may be the limit', { routeFeeMsat: 'limit' }, FEE_LIMIT_MSAT],
    ['may not be more', { routeFeeMsat: FEE_LIMIT_MSAT + 1n }, 'no_route'],
    ['is more where the node is broken', { routeFeeMsat: 'limit', overchargeMsat: 7n }, FEE_LIMIT_MSAT + 7n],
  ])('%s', async (_, faults, expected) => {
    const before = await node.simulator.balances();
    const outcome = await node.backend.pay(await asked(faults));
    const { sentMsat, feesMsat, balanceMsat } = await node.simulator.balances();
    if (expected === 'no_route') {
      expect(outcome).toEqual({ status: 'failed', reason: 'no_route' });
      expect({ sentMsat, feesMsat, balanceMsat }).toMatchObject({
        sentMsat: before.sentMsat,
        feesMsat: before.feesMsat,
        balanceMsat: before.balanceMsat,
      });
    } else {
      expect(outcome).toMatchObject({ status: 'settled', feeMsat: expected });
      expect(sentMsat - before.sentMsat).toBe(AMOUNT_MSAT);
      expect(feesMsat - before.feesMsat).toBe(expected);
      expect(before.balanceMsat - balanceMsat).toBe(AMOUNT_MSAT + expected);
    }
  });
});

it('a fee probe follows the faults of the route', async () => {
  const probe = async (faults: Faults): Promise<unknown> => node.backend.probeFee(await asked(faults));
  expect(await probe({})).toEqual({ status: 'known', feeMsat: 2_000n });
  expect(await probe({ routeFeeMsat: 7n })).toEqual({ status: 'known', feeMsat: 7n });
  expect(await probe({ routeFeeMsat: 'limit' })).toEqual({ status: 'known', feeMsat: FEE_LIMIT_MSAT });
  expect(await probe({ routeFeeMsat: FEE_LIMIT_MSAT + 1n })).toEqual({ status: 'no_route' });
  expect(await probe({ fail: 'no_route' })).toEqual({ status: 'no_route' });
  // Only a payment finds out that the payee refuses it.
  expect(await probe({ fail: 'rejected' })).toEqual({ status: 'known', feeMsat: 2_000n });
});

describe('the outcome stream', () => {
  const hashes = async (stream: AsyncIterator<FinalPayment>, count: number): Promise<string[]> => {
    const told: string[] = [];
    while (told.length < count) told.push(((await stream.next()) as IteratorYieldResult<FinalPayment>).value.paymentHash);
    return told;
  };

  /** Where the machine has the time for it: once in many attempts. */
  const inTheEnd = (attempt: () => Promise<readonly string[]>, expected: readonly string[]): Promise<unknown> =>
    eventually(async () => expect(await attempt()).toEqual(expected) ?? true);

  it('is faster than a slow answer', async () => {
    const stream = await listenToOutcomes(node, listening.signal);
    const attempt = async (): Promise<string[]> => {
      const request = await asked({ responseDelayMs: 400 });
      const order: string[] = [];
      const answered = node.backend.pay(request).then(() => order.push('answer'));
      await hashes(stream, 1);
      order.push('stream');
      await answered;
      return order;
    };
    await inTheEnd(attempt, ['stream', 'answer']);
  });

  it('can repeat an outcome', async () => {
    const stream = await listenToOutcomes(node, listening.signal);
    const request = await asked({ duplicateEvent: true });
    await node.backend.pay(request);
    expect(await hashes(stream, 2)).toEqual([request.paymentHash, request.paymentHash]);
  });

  it('can report outcomes out of order', async () => {
    const stream = await listenToOutcomes(node, listening.signal);
    const attempt = async (): Promise<string[]> => {
      const [late, prompt] = [await asked({ eventDelayMs: 300 }), await asked({})];
      await node.backend.pay(late);
      await node.backend.pay(prompt);
      return (await hashes(stream, 2)).map((hash) => (hash === late.paymentHash ? 'late' : 'prompt'));
    };
    await inTheEnd(attempt, ['prompt', 'late']);
  });

  it('can break off, and skips what it missed', async () => {
    const stream = await listenToOutcomes(node, listening.signal);
    const missed = await asked({ disconnect: true });
    expect(await node.backend.pay(missed)).toMatchObject({ status: 'settled' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await node.backend.lookupPayment(missed.paymentHash)).toMatchObject({ status: 'settled' });
    const again = await listenToOutcomes(node, listening.signal);
    const request = await asked({});
    await node.backend.pay(request);
    expect(await hashes(again, 1)).toEqual([request.paymentHash]);
  });
});

describe('an unavailable node', () => {
  afterEach(() => node.simulator.setAway(false));

  it('answers no call, and its payments continue', async () => {
    const flying = await asked({ hold: true });
    const flight = node.backend.pay(flying);
    while ((await node.backend.lookupPayment(flying.paymentHash)).status !== 'in_flight');
    const stream = take(1, (signal) => node.backend.invoiceSettlements(0n, signal));
    await node.simulator.setAway(true);
    expect(await flight).toEqual(UNKNOWN);
    expect(await stream).toEqual([]);

    const request = await asked({});
    const hash = request.paymentHash;
    expect(await node.backend.info()).toEqual(UNKNOWN);
    expect(await node.backend.pay(request)).toEqual({ status: 'not_sent' });
    expect(await node.backend.latestPaymentIndex()).toBe('unknown');
    expect(await node.backend.lookupPayment(hash)).toEqual(UNKNOWN);
    expect(await node.backend.lookupInvoice(hash)).toEqual(UNKNOWN);
    expect(await node.backend.cancelInvoice(hash)).toBe('unknown');
    const invoice = { amountMsat: null, expirySeconds: 60, preimage: hash };
    expect(await node.backend.createInvoice(invoice)).toEqual(UNKNOWN);
    expect(await take(1, (signal) => node.backend.paymentOutcomes(signal))).toEqual([]);

    await node.simulator.release(flying.paymentHash);
    await node.simulator.setAway(false);
    expect(await node.backend.lookupPayment(flying.paymentHash)).toMatchObject({ status: 'settled' });
    expect(await node.backend.lookupPayment(hash)).toEqual({ status: 'not_found' });
    expect(await node.backend.createInvoice(invoice)).toMatchObject({ status: 'created' });
  });
});
