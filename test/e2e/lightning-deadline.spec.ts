import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import { LightningBackend, type PayResult } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Only a look-up or the answer of `pay` reports the end of these payments: the stream is silent for an hour. */
const UNTOLD = { eventDelayMs: 3_600_000, routeFeeMsat: 2_000n };

describe('a Lightning back end that violates its contract', () => {
  let app: TestApp;
  let fixture: Fixture;
  let node: LightningBackend;
  let alice: Person;

  beforeAll(async () => {
    const env = { RECONCILE_AFTER_SECONDS: '0', PAYMENT_WAIT_SECONDS: '1', LIGHTNING_CALL_SECONDS: '1' };
    app = await createTestApp({ env });
    fixture = new Fixture(app);
    node = app.get(LightningBackend);
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: 1_000 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const isSettled = async (paymentHash: string): Promise<boolean> =>
    (await app.pool.query(`SELECT FROM payment WHERE payment_hash = $1 AND state = 'settled'`, [paymentHash])).rowCount === 1;
  const told = (...words: string[]): boolean => app.logs.some((line) => words.every((word) => line.includes(word)));

  it.each<[string, () => Promise<never>, string]>([
    ['a look-up that never ends', () => new Promise(() => undefined), 'no answer within 1 s'],
    ['a look-up that throws', () => Promise.reject(new Error('out of memory')), 'out of memory'],
  ])('%s counts as unknown, is logged, and delays no other payment', async (_what, answer, words) => {
    const lookup = node.lookupPayment.bind(node);
    const [broken, sound] = [
      await fixture.outside(100, { ...UNTOLD, dropResponse: true }),
      await fixture.outside(100, { ...UNTOLD, dropResponse: true }),
    ];
    let asked = 0;
    node.lookupPayment = (paymentHash) => (paymentHash === broken.paymentHash ? (asked++, answer()) : lookup(paymentHash));
    expect(await alice.pay(broken.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await eventually(() => asked > 0);
    await alice.pay(sound.paymentRequest);
    await eventually(() => isSettled(sound.paymentHash));
    expect(await isSettled(broken.paymentHash)).toBe(false);
    await eventually(() => told('lookupPayment', words));

    node.lookupPayment = lookup;
    await eventually(() => isSettled(broken.paymentHash));
    expect(await alice.sats()).toBe(1_000 - 2 * 102);
  });

  it('a payment answered after its deadline is PENDING, and its settlement is booked', async () => {
    const [pay, lookup] = [node.pay.bind(node), node.lookupPayment.bind(node)];
    const outside = await fixture.outside(100, UNTOLD);
    let letThrough: () => void = () => undefined;
    node.pay = async (request) => {
      const outcome: PayResult = await pay(request);
      await new Promise<void>((resolve) => (letThrough = resolve));
      return outcome;
    };
    node.lookupPayment = () => Promise.resolve({ status: 'unknown' });
    expect(await alice.pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await eventually(() => told('pay: no answer within 2 s'));
    expect(await isSettled(outside.paymentHash)).toBe(false);
    letThrough();
    await eventually(() => isSettled(outside.paymentHash));
    expect(await alice.sats()).toBe(898);
    Object.assign(node, { pay, lookupPayment: lookup });
  });

  it('a payment that it did not send: the hold is void at once, and the invoice can be paid', async () => {
    const pay = node.pay.bind(node);
    const outside = await fixture.outside(100, { routeFeeMsat: 0n });
    node.pay = () => Promise.resolve({ status: 'not_sent' });
    expect(await alice.pay(outside.paymentRequest)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'LIGHTNING_PAYMENT_ERROR' }] });
    expect(await alice.sats()).toBe(1_000);
    node.pay = pay;
    expect(await alice.pay(outside.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a server that stops while its node does not answer', () => {
  it('does not wait for it', async () => {
    const app = await createTestApp({ env: { LIGHTNING_CALL_SECONDS: '300' } });
    const node = app.get(LightningBackend);
    let asked = 0;
    node.info = () => (asked++, new Promise(() => undefined));
    // This restarts the stream, which asks the node for its info.
    app.get(SettlementStreamService).restartIfNewEpoch(-1);
    await eventually(() => asked > 0);
    await app.close();
  });
});
