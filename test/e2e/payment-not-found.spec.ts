import pg from 'pg';
import { CERTIFICATE, LndDouble, MACAROON } from '../lightning/lnd/lnd-double.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { LightningBackend, type Faults } from '../../src/money/lightning/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { ReconcileStore } from '../../src/money/payment/reconcile.store.js';
import { dataOf, eventually, TestUser } from '../../src/testing/index.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { asAdministrator, createTestDatabase, type TestDatabase } from '../support/database.js';
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
  /** The caller waits for a second, and the payment may take longer. */
  const settles = async ({ paymentRequest, paymentHash }: { paymentRequest: string; paymentHash: string }): Promise<void> => {
    expect(await alice.pay(paymentRequest)).toMatchObject({ errors: [] });
    await eventually(() => is("state = 'settled'", paymentHash));
  };
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
    await settles({ paymentRequest, paymentHash });
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
    await settles(await fixture.outside(10, { routeFeeMsat: 0n }));
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
    await eventually(() => told('payment_settled_after_release', id, '102000 msat booked to the loss account'));
    expect(await app.get(Metrics).text()).toContain('sluice_payment_losses_msat_total{cause="overtaken"} 102000');
  });

  it('is logged with id and amount, and counted, when it cost more than its hold', async () => {
    const outside = await fixture.outside(100, { routeFeeMsat: 'limit', overchargeMsat: 5_000n });
    const { transaction } = await alice.pay(outside.paymentRequest);
    expect(await alice.sats()).toBe(1_000 - 110);
    await eventually(() => told('payment_overcharged', `Payment ${transaction.id}: cost 5000 msat more than was held`));
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

const SEND = 'routerrpc.Router/SendPaymentV2';
const MINUTES_10 = 600;
/** Shorter than ten seconds, so that a test may wait for a sign of life. */
const SILENT_SECONDS = 6;

describe('a payment that was sent to LND, and that LND does not find', () => {
  let node: LndDouble;
  let app: TestApp;
  let timeTravel: TimeTravel;
  let alice: TestUser;
  const env = { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', LIGHTNING_CALL_SECONDS: '2' };
  const start = async (beside?: TestApp): Promise<TestApp> => {
    const lnd = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const settings = { PaymentSettings: { dispatcherSilentSeconds: SILENT_SECONDS } };
    const payFromOutside = async (_app: unknown, request: string): Promise<boolean> => node.payFromOutside(request);
    return createTestApp({ env: { ...lnd, ...env }, settings, payFromOutside, ...(beside && { beside }) });
  };

  beforeEach(async () => {
    node = new LndDouble();
    await node.start();
    app = await start();
    timeTravel = new TimeTravel(app);
    alice = await TestUser.create(app, { sats: 1_000 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await app.audit()).toEqual([]);
    await app.close();
    node.stop();
  });

  const is = async (condition: string, hash: string): Promise<boolean> =>
    (await app.pool.query(`SELECT 1 FROM payment WHERE payment_hash = $1 AND ${condition}`, [hash])).rowCount === 1;
  const isReady = async (of = app): Promise<boolean> => (await of.get(LightningBackend).info()).status === 'ready';
  const pay = async (paymentRequest: string, by = app): Promise<string> => {
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const document = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }';
    return (await dataOf<{ pay: { status: string } }>(by.url, document.replace('lnInv', 'pay: lnInv'), { input }, await alice.key('write')))
      .pay.status;
  };
  const askAgain = async (hash: string): Promise<void> => {
    await timeTravel.paymentIsDue(hash);
    await app.get(PaymentReconciler).reconcile(new AbortController().signal);
  };
  /** LND reports that it does not know the payment, for the first time, or for the first time in a way. */
  const firstAnswer = async (hash: string, isAnew: boolean): Promise<void> => {
    await timeTravel.payment(hash, LEASE_SECONDS);
    await eventually(async () => (await askAgain(hash), is(`not_found_at IS NOT NULL AND not_found_anew = ${String(isAnew)}`, hash)));
  };
  const answersFor = async (hash: string, seconds: number): Promise<void> => {
    await timeTravel.payment(hash, seconds);
    await askAgain(hash);
  };
  /** The connection breaks before LND has read the request. */
  const lost = async (by = app): Promise<string> => {
    const paymentRequest = node.invoiceOfOther(100_000n);
    node.faults.set(SEND, 'lose');
    expect(await pay(paymentRequest, by)).toBe('PENDING');
    // A caller waits for a second; the request may be on its way for longer.
    await eventually(() => !node.faults.has(SEND));
    await node.start();
    await eventually(async () => (await isReady()) && (by === app || (await isReady(by))));
    return LndDouble.hashOf(paymentRequest);
  };
  const isFree = async (hash: string): Promise<void> => {
    await eventually(async () => (await askAgain(hash), is("state = 'failed' AND failure = 'not_found'", hash)));
    expect(await alice.sats()).toBe(1_000);
  };

  it('is released when its call ended with its connection, after two such answers that are PAYMENT_NOT_FOUND_MINUTES apart, by newer connections', async () => {
    const hash = await lost();
    await eventually(() => is('disconnected_at IS NOT NULL', hash));
    await firstAnswer(hash, true);
    const peers = new Set(node.peers);
    await answersFor(hash, MINUTES_10 - 30);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
    const looks = node.calls.flatMap((call, index) => (call.endsWith('TrackPaymentV2') ? [node.peers[index]] : []));
    expect(peers).not.toContain(looks.at(-1));
    await timeTravel.payment(hash, 60);
    await isFree(hash);
  });

  it('stays held while LND stands still for 20 minutes, and is booked when LND reads then what it had received', async () => {
    const paymentRequest = node.invoiceOfOther(100_000n);
    const hash = LndDouble.hashOf(paymentRequest);
    node.faults.set(SEND, 'stall');
    expect(await pay(paymentRequest)).toBe('PENDING');
    await eventually(() => !node.faults.has(SEND));
    node.stop();
    await eventually(() => is('disconnected_at IS NOT NULL', hash));
    await answersFor(hash, 1_200);
    expect(await is("state = 'in_flight' AND not_found_at IS NULL", hash)).toBe(true);
    await node.start();
    await eventually(() => isReady());
    await firstAnswer(hash, true);
    await answersFor(hash, 300);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
    node.goOn();
    await eventually(async () => (await askAgain(hash), is("state = 'settled'", hash)));
    expect(await alice.sats()).toBe(1_000 - 101);
  });

  it('is not sent by a process that stood still between the confirmation of its dispatch and the write', async () => {
    const backend = app.get(LightningBackend);
    const send = backend.pay.bind(backend);
    jest.spyOn(backend, 'pay').mockImplementation((request) => {
      const paying = send(request);
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
      return paying.finally(() => jest.restoreAllMocks());
    });
    const paymentRequest = node.invoiceOfOther(100_000n);
    await pay(paymentRequest);
    await eventually(() => is("state = 'failed' AND failure = 'never_sent'", LndDouble.hashOf(paymentRequest)));
    expect(node.calls).not.toContain(SEND);
    expect(await alice.sats()).toBe(1_000);
  });

  it('is released when the process that had sent it was killed: its session is gone, and it gives no sign of life', async () => {
    const other = await start(app);
    jest.spyOn(other.get(ReconcileStore), 'disconnected').mockRejectedValue(new Error('killed'));
    await eventually(async () => (await app.pool.query('SELECT 1 FROM payment_dispatcher')).rowCount === 2);
    const hash = await lost(other);
    await firstAnswer(hash, false);
    await other.close();
    expect(await is('disconnected_at IS NULL', hash)).toBe(true);
    await answersFor(hash, 2 * MINUTES_10);
    // Its last sign of life was a moment ago.
    expect(await is("state = 'in_flight' AND NOT not_found_anew", hash)).toBe(true);
    await app.pool.query(
      `UPDATE payment_dispatcher SET seen_at = seen_at - interval '10 seconds' WHERE id::text LIKE (SELECT left(dispatch_token::text, 23) FROM payment WHERE payment_hash = $1) || '%'`,
      [hash],
    );
    // Answers of before its end prove nothing.
    await firstAnswer(hash, true);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
    await timeTravel.payment(hash, MINUTES_10);
    await isFree(hash);
  });

  /** Its process is not known to have ended the call. */
  const sentAndUnknown = async (): Promise<string> => {
    jest.spyOn(app.get(ReconcileStore), 'disconnected').mockRejectedValue(new Error('away'));
    return lost();
  };

  it('stays held for PAYMENT_NOT_FOUND_HOURS after a failover of the database that its process has survived', async () => {
    const hash = await sentAndUnknown();
    await firstAnswer(hash, false);
    await asAdministrator(async (client) => {
      const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()';
      await client.query(others, [app.database.connection.database]);
    });
    // The test's own connections were cut too: until none of them is left.
    await eventually(() => Promise.all(Array.from({ length: 10 }, () => app.pool.query('SELECT'))));
    const session = `SELECT session_pid AS pid, seen_at > now() - interval '3 seconds' AS lives FROM payment_dispatcher`;
    await eventually(async () => (await app.pool.query<{ lives: boolean }>(session)).rows[0]?.lives);
    // Even if another process looked before the first sign of life: the answer of then does not count.
    await app.pool.query('UPDATE payment SET not_found_anew = true WHERE payment_hash = $1', [hash]);
    await answersFor(hash, 2 * MINUTES_10);
    await eventually(async () => (await askAgain(hash), is('NOT not_found_anew', hash)));
    await answersFor(hash, 2 * MINUTES_10);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
  });

  it('stays held while its process stands still: its session lives', async () => {
    const hash = await sentAndUnknown();
    jest.spyOn(app.get(ReconcileStore), 'lives').mockResolvedValue();
    await app.pool.query(`UPDATE payment_dispatcher SET seen_at = now() - interval '1 hour'`);
    await firstAnswer(hash, false);
    await answersFor(hash, 2 * MINUTES_10);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
  });

  it('stays held for PAYMENT_NOT_FOUND_HOURS if a process of 0.3.0 sent it, which records none of this', async () => {
    const hash = await sentAndUnknown();
    await app.pool.query('UPDATE payment SET dispatch_token = gen_random_uuid() WHERE payment_hash = $1', [hash]);
    await firstAnswer(hash, false);
    await answersFor(hash, 23 * 3_600);
    expect(await is("state = 'in_flight'", hash)).toBe(true);
    await timeTravel.payment(hash, 3_600);
    await isFree(hash);
  });

  it('stays held at a node that was restored from an older copy since', async () => {
    const earlier = node.invoiceOfOther(10_000n);
    await pay(earlier);
    await eventually(() => is("state = 'settled'", LndDouble.hashOf(earlier)));
    const hash = await lost();
    await askAgain(hash);
    node.restore(0);
    await firstAnswer(hash, true);
    await answersFor(hash, 2 * MINUTES_10);
    await eventually(async () => (await askAgain(hash), app.logs.some((line) => line.includes('"payment_not_found"'))));
    expect(await is("state = 'in_flight'", hash)).toBe(true);
  });
});
