import {
  LightningBackend,
  type FinalPayment,
  type InvoiceSettlement,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
} from '../../src/money/lightning/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { TimeTravel } from '../support/time-travel.js';

const SATS = 10_000;
const AMOUNT = 500;
/** Of the simulated route, rounded up, and the fee limit that is held beside the amount. */
const [FEE, FEE_LIMIT] = [2, 10];
const LONGER_THAN_A_LEASE = 60;

interface Outside {
  readonly paymentRequest: string;
  readonly paymentHash: string;
  readonly preimage: string;
}
type Lie = (truth: PayResult, of: { readonly it: Outside; readonly other: Outside }) => PayResult;

/**
 * What a node says is believed only as far as it is proven. Other lies have their tests elsewhere: a fee above the limit
 * (ln-payment-send), impossible fees and amounts (reconciler), a settlement of no invoice of ours (settlement-return), indexes that
 * go back (settlement-restore, payment-not-found), and what LND says of another payment (lnd-backend).
 */
describe('a node that lies', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let timeTravel: TimeTravel;
  let node: LightningBackend;
  let honest: Pick<LightningBackend, 'pay' | 'lookupPayment' | 'paymentOutcomes' | 'invoiceSettlements'>;

  let lossBefore: bigint;
  /** How often the true stream of outcomes was opened since the first lie. */
  let truths = 0;
  let endLies: (() => void) | undefined;

  beforeAll(async () => {
    app = await createTestApp({ env: { RECONCILE_AFTER_SECONDS: '0', PAYMENT_WAIT_SECONDS: '1' } });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
    node = app.get(LightningBackend);
    const outcomes = node.paymentOutcomes.bind(node);
    honest = {
      pay: node.pay.bind(node),
      lookupPayment: node.lookupPayment.bind(node),
      paymentOutcomes: (signal) => (truths++, outcomes(signal)),
      invoiceSettlements: node.invoiceSettlements.bind(node),
    };
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: SATS });
    lossBefore = await lossAccount();
  });
  afterEach(async () => {
    tellTruth();
    if (endLies) {
      const before = truths;
      endLies();
      endLies = undefined;
      await eventually(() => truths > before);
    }
    expect(await violationsAtRest(app.pool)).toEqual({});
  });
  afterAll(() => app.close());

  const stateOf = async (paymentHash: string): Promise<string | undefined> =>
    (await app.pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1', [paymentHash])).rows[0]?.state;
  const logged = (event: string, hash = ''): boolean => app.logs.some((line) => line.includes(event) && line.includes(hash));
  const round = (): Promise<void> => app.get(PaymentReconciler).reconcile(new AbortController().signal);
  const lost = async (): Promise<number> => SATS - (await alice.sats());
  const lossMsat = async (): Promise<bigint> => (await lossAccount()) - lossBefore;
  const lossAccount = async (): Promise<bigint> =>
    (await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5')).rows[0]?.posted ?? 0n;
  const tellTruth = (): void => void Object.assign(node, honest);

  it.each<[string, Lie]>([
    ['without a preimage', (truth) => ({ ...truth, status: 'settled', preimage: '', feeMsat: 0n })],
    ['with a preimage that proves nothing', (truth) => ({ ...truth, status: 'settled', preimage: 'cd'.repeat(32), feeMsat: 0n })],
    ['with the payment hash for a preimage', (truth, { it }) => ({ ...truth, status: 'settled', preimage: it.paymentHash, feeMsat: 0n })],
    [
      'with the preimage of another payment',
      (truth, { other }) => ({ ...truth, status: 'settled', preimage: other.preimage, feeMsat: 0n }),
    ],
  ])('about success, %s: the money stays held until the truth is known', async (_what, lie) => {
    const [it, other] = [await fixture.outside(AMOUNT, { hold: true }), await fixture.outside(AMOUNT)];
    node.pay = async (request: PaymentRequest) => lie(await honest.pay({ ...request, timeoutSeconds: 0.05 }), { it, other });
    node.lookupPayment = async (hash) => lie((await honest.lookupPayment(hash)) as PayResult, { it, other }) as PaymentStatus;
    expect(await alice.pay(it.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await eventually(() => logged('payment_preimage_mismatch', it.paymentHash));
    await timeTravel.payment(it.paymentHash, LONGER_THAN_A_LEASE);
    await round();
    expect([await stateOf(it.paymentHash), await lost()]).toEqual(['in_flight', AMOUNT + FEE_LIMIT]);
    tellTruth();
    await fixture.release(it.paymentHash, 'no_route');
    await eventually(async () => {
      await timeTravel.payment(it.paymentHash, LONGER_THAN_A_LEASE);
      await round();
      return (await stateOf(it.paymentHash)) === 'failed';
    });
    expect(await lost()).toBe(0);
  });

  it('about failure, on its stream: the money stays held, because a look-up contradicts it', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(AMOUNT, { hold: true });
    const lies = await onStream();
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'PENDING' });
    await lies.say({ status: 'failed', reason: 'no_route', paymentHash });
    await lies.say({ status: 'failed', reason: 'no_route', paymentHash });
    await round();
    expect([await stateOf(paymentHash), await lost()]).toEqual(['in_flight', AMOUNT + FEE_LIMIT]);
    await fixture.release(paymentHash);
    await eventually(async () => (await round(), (await stateOf(paymentHash)) === 'settled'));
    expect(await lost()).toBe(AMOUNT + FEE);
  });

  it('about failure, as the answer, of a payment that it makes: the operator has the loss, and the payer is charged nothing', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(AMOUNT, { hold: true });
    node.pay = async (request: PaymentRequest) => (
      await honest.pay({ ...request, timeoutSeconds: 0.05 }),
      { status: 'failed', reason: 'no_route' }
    );
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await lost()).toBe(0);
    tellTruth();
    await fixture.release(paymentHash);
    await eventually(async () => (await stateOf(paymentHash)) === 'settled');
    expect([await lost(), await lossMsat()]).toEqual([0, -501_500n]);
    expect(logged('payment_settled_after_release')).toBe(true);
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
  });

  it('about failure, of a payment that has settled: it stays settled, however often and in whichever order it says both', async () => {
    const { paymentRequest, paymentHash, preimage } = await fixture.outside(AMOUNT);
    const lies = await onStream();
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const settled = { status: 'settled', preimage, feeMsat: 1_500n, paymentHash } as const;
    const failed = { status: 'failed', reason: 'timeout', paymentHash } as const;
    for (const said of [failed, settled, settled, failed, { ...settled, feeMsat: 9_000n }]) await lies.say(said);
    node.lookupPayment = async () => ({ status: 'failed', reason: 'timeout' });
    await round();
    expect([await stateOf(paymentHash), await lost(), await lossMsat()]).toEqual(['settled', AMOUNT + FEE, 0n]);
  });

  it('about payments that are not ours: nothing is booked', async () => {
    const [other, held] = [await fixture.outside(AMOUNT), await fixture.outside(AMOUNT, { hold: true })];
    const lies = await onStream();
    expect(await alice.pay(held.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await lies.say({ status: 'settled', preimage: other.preimage, feeMsat: 0n, paymentHash: other.paymentHash });
    // The proof of one payment for another one.
    await lies.say({ status: 'settled', preimage: other.preimage, feeMsat: 0n, paymentHash: held.paymentHash });
    await eventually(() => logged('payment_preimage_mismatch', held.paymentHash));
    expect([await stateOf(other.paymentHash), await stateOf(held.paymentHash), await lost()]).toEqual([
      undefined,
      'in_flight',
      AMOUNT + FEE_LIMIT,
    ]);
    await fixture.release(held.paymentHash);
    await eventually(async () => (await stateOf(held.paymentHash)) === 'settled');
  });

  it('about receipts, twice, late and in another order: each is credited once', async () => {
    const invoices = await Promise.all([10, 20, 40].map((sats) => alice.invoice(sats)));
    const collected: InvoiceSettlement[] = [];
    let broken = false;
    node.invoiceSettlements = async function* (after, signal) {
      for await (const settlement of honest.invoiceSettlements(after, signal)) {
        collected.push(settlement);
        if (collected.length < invoices.length) continue;
        const shuffled = [...collected].reverse();
        yield* [...shuffled, ...shuffled, ...collected];
        broken = true;
      }
    };
    // The stream that runs was opened before.
    await fixture.simulator.payOutside((await alice.invoice(1)).paymentRequest, { faults: { disconnect: true } });
    await eventually(async () => (await alice.sats()) === SATS + 1);
    for (const { paymentRequest } of invoices) await fixture.simulator.payOutside(paymentRequest);
    await eventually(() => broken);
    await eventually(async () => (await alice.sats()) === SATS + 71);
    expect(collected.length).toBeGreaterThanOrEqual(invoices.length);
    tellTruth();
  });

  /** Lies on the stream of outcomes, beside what is true. */
  async function onStream(): Promise<{ say: (lie: FinalPayment) => Promise<void> }> {
    const waiting: FinalPayment[] = [];
    let wake: () => void = () => undefined;
    let [listens, isOver] = [false, false];
    endLies = () => ((isOver = true), wake());
    node.paymentOutcomes = async function* (signal) {
      listens = true;
      while (!signal.aborted && !isOver) {
        const lie = waiting[0];
        // It leaves the list when Sluice asks for the next one.
        if (lie) yield lie;
        if (lie) waiting.shift();
        else await new Promise<void>((resolve) => ((wake = resolve), signal.addEventListener('abort', () => resolve(), { once: true })));
      }
    };
    await fixture.simulator.payOutside((await alice.invoice(1)).paymentRequest);
    const rehearsal = await fixture.outside(1, { disconnect: true, routeFeeMsat: 0n });
    expect(await alice.pay(rehearsal.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    await eventually(() => listens);
    await eventually(async () => (await alice.sats()) === SATS);
    return {
      say: async (lie) => {
        waiting.push(lie);
        wake();
        await eventually(() => waiting.length === 0);
      },
    };
  }
});
