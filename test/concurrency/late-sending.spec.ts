import { LightningBackend, type PaymentRequest, type PayResult } from '../../src/money/lightning/index.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import { Fixture, type Person } from '../support/fixture.js';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let timeTravel: TimeTravel;

beforeAll(async () => {
  app = await createTestApp({ env: { RECONCILE_AFTER_SECONDS: '0', PAYMENT_WAIT_SECONDS: '1' } });
  [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
  alice = await fixture.user({ sats: 10_000 });
});
afterAll(() => app.close());

/** Delays the next request to pay on its way to the node until `letThrough` is called, as a stalled process or network would. */
function standStill(): { letThrough: () => void; arrived: Promise<PayResult> } {
  const node = app.get(LightningBackend);
  const pay = node.pay.bind(node);
  let letThrough: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letThrough = resolve));
  const arrived = new Promise<PayResult>((resolve) => {
    node.pay = async (request: PaymentRequest) => {
      node.pay = pay;
      await gate;
      const outcome = await pay(request);
      resolve(outcome);
      return outcome;
    };
  });
  return { letThrough, arrived };
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await app.pool.query<{ state: string }>('SELECT state FROM payment WHERE id = $1', [id])).rows[0]?.state;
const lossMsat = async (): Promise<bigint> =>
  (await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5')).rows[0]?.posted ?? 0n;

const rowsOf = async (paymentHash: string): Promise<{ state: string; doubted: boolean }[]> =>
  (
    await app.pool.query<{ state: string; doubted: boolean }>(
      'SELECT state, not_found_at IS NOT NULL AS doubted FROM payment WHERE payment_hash = $1 ORDER BY created_at',
      [paymentHash],
    )
  ).rows;

/** A payment that ends so, perhaps later than its caller waits. */
async function paid(status: 'SUCCESS' | 'FAILURE', paymentRequest: string, paymentHash: string): Promise<void> {
  expect([status, 'PENDING']).toContain((await alice.pay(paymentRequest)).status);
  await eventually(async () => (await rowsOf(paymentHash)).at(-1)?.state === (status === 'SUCCESS' ? 'settled' : 'failed'));
}

/** A payment whose money was released because the node did not know it. */
async function released(paymentRequest: string, paymentHash: string): Promise<string> {
  const { status, transaction } = await alice.pay(paymentRequest);
  expect(status).toBe('PENDING');
  await eventually(async () => {
    await timeTravel.payment(paymentHash, 60);
    return (await stateOf(transaction.id)) === 'failed';
  });
  return transaction.id as string;
}

describe('a request that takes longer than its lease', () => {
  it.each([
    ['the node has never heard of its hash', {}],
    ['the node speaks of an attempt before it, which failed', { fail: 'no_route' }],
  ] as const)('keeps its hold when the node was called once: %s', async (_what, faults) => {
    const [before, loss] = [await alice.sats(), await lossMsat()];
    const { paymentRequest, paymentHash } = await fixture.outside(500, faults);
    if ('fail' in faults) await paid('FAILURE', paymentRequest, paymentHash);
    await fixture.simulator.setFaults(paymentHash, {});
    const { letThrough, arrived } = standStill();
    const { transaction } = await alice.pay(paymentRequest);
    expect(await stateOf(transaction.id)).toBe('in_flight');
    await timeTravel.payment(paymentHash, 16);
    await eventually(async () => (await rowsOf(paymentHash)).at(-1)?.doubted);
    expect(await stateOf(transaction.id)).toBe('in_flight');

    letThrough();
    expect(await arrived).toMatchObject({ status: 'settled' });
    await eventually(async () => (await stateOf(transaction.id)) === 'settled');
    await fixture.expectBalanced();
    expect([before - (await alice.sats()), await lossMsat()]).toEqual([502, loss]);
  });
});

describe('a request that reaches the node after its hold was voided', () => {
  it('is booked to the loss account and logged, and the invoice counts as paid', async () => {
    const before = await alice.sats();
    const { letThrough, arrived } = standStill();
    const { paymentRequest, paymentHash } = await fixture.outside(500);
    const id = await released(paymentRequest, paymentHash);
    expect(await alice.sats()).toBe(before);

    letThrough();
    expect(await arrived).toMatchObject({ status: 'settled' });
    await eventually(async () => (await stateOf(id)) === 'settled');
    await fixture.expectBalanced();
    expect(await violationsAtRest(app.pool)).toEqual({});
    expect([await alice.sats(), await lossMsat()]).toEqual([before, -501_500n]);
    await eventually(() => app.logs.some((line) => line.includes('payment_settled_after_release') && line.includes(id)));
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
  });

  it('is charged to the account that pays the invoice by then: the node sends it once', async () => {
    const [before, loss] = [await alice.sats(), await lossMsat()];
    const { letThrough, arrived } = standStill();
    const { paymentRequest, paymentHash } = await fixture.outside(500);
    await released(paymentRequest, paymentHash);
    await paid('SUCCESS', paymentRequest, paymentHash);
    letThrough();
    expect(await arrived).toMatchObject({ status: 'settled' });
    await fixture.expectBalanced();
    expect(await violationsAtRest(app.pool)).toEqual({});
    expect([before - (await alice.sats()), await lossMsat()]).toEqual([502, loss]);
  });

  it('is booked by the stream too, when no caller waits for the answer', async () => {
    const loss = await lossMsat();
    const { paymentRequest, paymentHash } = await fixture.outside(300, { lost: true });
    const id = await released(paymentRequest, paymentHash);
    await fixture.simulator.setFaults(paymentHash, {});
    // A process that is dead now had sent it after all.
    await app.get(LightningBackend).pay({ paymentRequest, paymentHash, amountMsat: 300_000n, feeLimitMsat: 10_000n, timeoutSeconds: 5 });
    await eventually(async () => (await stateOf(id)) === 'settled');
    await fixture.expectBalanced();
    expect(await violationsAtRest(app.pool)).toEqual({});
    expect(loss - (await lossMsat())).toBe(301_300n);
  });
});
