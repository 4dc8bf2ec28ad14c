import pg from 'pg';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { LightningBackend, type Faults } from '../../src/money/lightning/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Fixture, type Person } from '../support/fixture.js';
import { calls } from '../support/statements.js';

const [LEASE_SECONDS, NOT_FOUND_SECONDS] = [15, 3_600];
const ENV = { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', PAYMENT_NOT_FOUND_HOURS: '1' };

/** A payment that was sent, and that the node reports as not found: it may have lost its records. */
describe('a payment that was sent and that the node does not find', () => {
  let database: TestDatabase;
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let alice: Person;

  const start = async (): Promise<void> => {
    app = await createTestApp({ database: { ...database, drop: async () => undefined }, env: ENV });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    await start();
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: 1_000 });
  });
  /** What an operator does who knows why the index of the node went back. */
  const acceptIndex = async (): Promise<void> => {
    const reconciliation = app.get(ReconciliationService);
    const { findings } = await reconciliation.report(1);
    if (findings !== null) await reconciliation.accept(findings, 'ann', 'the node was restored');
  };
  afterEach(async () => {
    await fixture.simulator.setPaymentIndex('exact');
    await acceptIndex();
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const is = async (condition: string, hash: string): Promise<boolean> =>
    (await app.pool.query(`SELECT 1 FROM payment WHERE payment_hash = $1 AND ${condition}`, [hash])).rowCount === 1;
  const told = (...words: string[]): boolean => app.logs.some((line) => words.every((word) => line.includes(word)));
  const askAgain = async (hash: string): Promise<void> => {
    await timeTravel.paymentIsDue(hash);
    await app.get(PaymentReconciler).reconcile(new AbortController().signal);
  };
  /** The node reports for so long, in each round, that it does not know the payment. */
  const unknownFor = async (hash: string, seconds: number): Promise<void> => {
    await timeTravel.payment(hash, LEASE_SECONDS);
    await eventually(async () => (await askAgain(hash), is('not_found_at IS NOT NULL', hash)));
    await timeTravel.payment(hash, seconds);
    await askAgain(hash);
  };
  const sent = async (faults: Faults): Promise<{ paymentRequest: string; paymentHash: string; id: string }> => {
    const outside = await fixture.outside(100, { routeFeeMsat: 2_000n, ...faults });
    const { status, transaction } = await alice.pay(outside.paymentRequest);
    expect(status).toBe('PENDING');
    expect(await is('dispatched_at IS NOT NULL', outside.paymentHash)).toBe(true);
    return { ...outside, id: transaction.id as string };
  };

  it('is held for PAYMENT_NOT_FOUND_HOURS, and then voided', async () => {
    const { paymentHash, paymentRequest } = await sent({ lost: true });
    await unknownFor(paymentHash, NOT_FOUND_SECONDS - 60);
    expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
    await timeTravel.payment(paymentHash, 120);
    await eventually(async () => (await askAgain(paymentHash), is("state = 'failed' AND failure = 'not_found'", paymentHash)));
    expect(await alice.sats()).toBe(1_000);
    await fixture.simulator.setFaults(paymentHash, { routeFeeMsat: 0n });
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is not voided while the node cannot report its payment index', async () => {
    const { paymentHash } = await sent({ lost: true });
    await fixture.simulator.setPaymentIndex('unknown');
    await unknownFor(paymentHash, 2 * NOT_FOUND_SECONDS);
    expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
    await fixture.simulator.setPaymentIndex('exact');
    await eventually(async () => (await askAgain(paymentHash), is("state = 'failed'", paymentHash)));
  });

  it('is left to the operator when the node has no payment index', async () => {
    const { paymentHash, id } = await sent({ lost: true });
    await fixture.simulator.setPaymentIndex('unsupported');
    await unknownFor(paymentHash, 2 * NOT_FOUND_SECONDS);
    // The process's own round may have claimed the payment before the round of this test.
    await eventually(async () => (await askAgain(paymentHash), told(id, 'npm run sluice -- payment resolve')));
    expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
  });

  it('is left to the operator when the index has decreased since it was sent: it settled, and the node was restored', async () => {
    const before = await sent({ hold: true });
    await fixture.release(before.paymentHash);
    await eventually(() => is("state = 'settled'", before.paymentHash));
    const { paymentHash, id } = await sent({ dropResponse: true, forgotten: true });
    await askAgain(paymentHash);
    await fixture.simulator.setForgotten(before.paymentHash, true);
    await unknownFor(paymentHash, 2 * NOT_FOUND_SECONDS);
    expect(told('payment_index_went_back')).toBe(true);
    const stopped = await alice.pay((await fixture.outside(10)).paymentRequest);
    expect(stopped).toMatchObject({ status: 'FAILURE', errors: [{ code: 'SENDS_STOPPED' }] });
    await acceptIndex();
    // The node's index has since passed its earlier value.
    const after = await fixture.outside(10, { routeFeeMsat: 0n });
    expect(await alice.pay(after.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    await timeTravel.payment(paymentHash, NOT_FOUND_SECONDS);
    await askAgain(paymentHash);
    expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
    expect(told(id, 'payment_not_found')).toBe(true);
    await fixture.simulator.setForgotten(paymentHash, false);
    await eventually(async () => (await askAgain(paymentHash), is("state = 'settled'", paymentHash)));
    expect(await alice.sats()).toBe(1_000 - 2 * 102 - 10);
  });

  it('is left to the operator when the node reported it in flight during pay', async () => {
    const node = app.get(LightningBackend);
    const lookup = node.lookupPayment.bind(node);
    node.lookupPayment = () => Promise.resolve({ status: 'unknown' });
    const { paymentHash, id } = await sent({ hold: true });
    await eventually(() => is('seen_in_flight', paymentHash));
    await fixture.simulator.setForgotten(paymentHash, true);
    node.lookupPayment = lookup;
    await timeTravel.payment(paymentHash, 2 * NOT_FOUND_SECONDS);
    await eventually(async () => (await askAgain(paymentHash), told(id, 'payment_forgotten_by_node')));
    await timeTravel.payment(paymentHash, 2 * NOT_FOUND_SECONDS);
    await askAgain(paymentHash);
    expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
    await fixture.simulator.setForgotten(paymentHash, false);
    await fixture.release(paymentHash);
    await eventually(async () => (await askAgain(paymentHash), is("state = 'settled'", paymentHash)));
  });

  it('is booked as a loss, and logged, when it settled without a stream event: failed payments are checked at start', async () => {
    const { paymentHash, id } = await sent({ dropResponse: true, forgotten: true });
    await unknownFor(paymentHash, 2 * NOT_FOUND_SECONDS);
    await eventually(async () => (await askAgain(paymentHash), is("state = 'failed'", paymentHash)));
    expect(await alice.sats()).toBe(1_000);
    await app.close();
    const outsideWorld = new pg.Client(database.connection);
    await outsideWorld.connect();
    await outsideWorld.query(`UPDATE simulator.payment SET faults = faults - 'forgotten' WHERE payment_hash = $1`, [paymentHash]);
    await outsideWorld.end();
    await start();
    await eventually(() => is("state = 'settled'", paymentHash));
    expect(told('payment_settled_after_release', id, '102000 msat booked to the loss account')).toBe(true);
    expect(await app.get(Metrics).text()).toContain('sluice_payment_losses_msat_total{cause="overtaken"} 102000');
  });

  it('is logged with id and amount, and counted, when it cost more than its hold', async () => {
    const outside = await fixture.outside(100, { routeFeeMsat: 'limit', overchargeMsat: 5_000n });
    const { transaction } = await alice.pay(outside.paymentRequest);
    expect(await alice.sats()).toBe(1_000 - 110);
    expect(told('payment_overcharged', `Payment ${transaction.id}: cost 5000 msat more than was held`)).toBe(true);
    expect(await app.get(Metrics).text()).toContain('sluice_payment_losses_msat_total{cause="overcharged"} 5000');
  });

  it('is counted in the metrics by its age', async () => {
    const { paymentHash } = await sent({ hold: true });
    await timeTravel.payment(paymentHash, 3 * 86_400);
    expect(await app.get(Metrics).text()).toContain('sluice_payments_in_flight{age="over 1d"} 1');
    await fixture.release(paymentHash);
    await eventually(async () => (await askAgain(paymentHash), is("state = 'settled'", paymentHash)));
  });

  it('is not sent until the database confirms the dispatch, and is sent once then', async () => {
    const [db, pay] = [app.get(Database), jest.spyOn(app.get(LightningBackend), 'pay')];
    const query = db.query.bind(db);
    db.query = ((statement: Statement, values: readonly unknown[] = []) =>
      calls(statement, 'payment_dispatch')
        ? Promise.reject(new Error('Connection terminated unexpectedly'))
        : query(statement, values)) satisfies typeof db.query;
    try {
      const outside = await fixture.outside(100);
      expect((await alice.pay(outside.paymentRequest)).status).toBe('PENDING');
      expect(await is("state = 'in_flight'", outside.paymentHash)).toBe(true);
      expect(pay).not.toHaveBeenCalled();
      db.query = query;
      await eventually(() => is("state = 'settled'", outside.paymentHash));
      expect(pay).toHaveBeenCalledTimes(1);
    } finally {
      db.query = query;
      pay.mockRestore();
    }
  });
});
