import pg from 'pg';
import { settlementCommands } from '../../src/operator/act/settlement.command.js';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { LightningBackend } from '../../src/money/lightning/index.js';
import { PaymentFinisher, type FinishOutcome } from '../../src/money/payment/payment.finisher.js';
import { PaymentStore } from '../../src/money/payment/payment.store.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { calls } from '../support/statements.js';

const LEASE_SECONDS = 60;
const ENV = {
  PAYMENT_WAIT_SECONDS: '1',
  RECONCILE_AFTER_SECONDS: '0',
  PAYMENT_LEASE_SECONDS: String(LEASE_SECONDS),
};
const PAY =
  'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } transaction { id } } }';
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { balance transactionsByPaymentHash(paymentHash: $hash) { status settlementAmount settlementFee } } } } }`;

/** Payments with no caller left: the process that sent them has ended, and another one on the same database finds them. */
describe('payments that outlive their process', () => {
  let database: TestDatabase;
  /** The simulated world continues while no process runs. */
  let outsideWorld: pg.Pool;
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let bob: Person;

  beforeAll(async () => {
    database = await createTestDatabase();
    outsideWorld = new pg.Pool({ ...database.connection, max: 1 });
    await start();
  });
  beforeEach(async () => {
    bob = await fixture.user({ sats: 1_000 });
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    // A payment that the node forgets lowers its index, and stops sends until an operator accepts that.
    const { findings } = await app.get(ReconciliationService).report(1);
    if (findings !== null) await app.get(ReconciliationService).accept(findings, 'ann', 'a test');
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    await app.close();
    await outsideWorld.end();
    await database.drop();
  });

  const start = async (): Promise<void> => {
    app = await createTestApp({ database: { ...database, drop: async () => undefined }, env: ENV });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
  };
  /** Ends the process and starts another one on the same database. No process runs during `meanwhile`. */
  const restart = async (meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> => {
    await app.close();
    await meanwhile();
    await start();
  };
  const pay = async (paymentRequest: string): Promise<unknown> =>
    (await dataOf(app.url, PAY, { input: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write'))).lnInvoicePaymentSend;
  const settlementsToReview = async (): Promise<string[]> => {
    const lines: string[] = [];
    const [list] = settlementCommands;
    await list?.run(app.sluice.app, { positionals: [], options: {} }, (line) => lines.push(line));
    return lines;
  };
  it('are looked up, invoices and limits too, although the time of the next look was written while the clock was an hour ahead', async () => {
    const held = await fixture.outside(100, { hold: true });
    expect(await pay(held.paymentRequest)).toMatchObject({ status: 'PENDING' });
    const { paymentHash } = await bob.invoice(5);
    const client = await app.pool.connect();
    // Rolled back, so that only these statements see the times.
    const found = async (statement: string, values: unknown[] = []): Promise<unknown[]> => (await client.query(statement, values)).rows;
    await client.query(`BEGIN; UPDATE payment SET next_check_at = now() + interval '1 hour' WHERE payment_hash = '${held.paymentHash}';
      UPDATE invoice SET expires_at = now() - interval '1 minute', next_look_at = now() + interval '1 hour' WHERE payment_hash = '${paymentHash}'`);
    expect(await found('SELECT payment_hash AS hash FROM payment_due(100, 0)')).toContainEqual({ hash: held.paymentHash });
    const DUE = 'SELECT d AS hash FROM invoice i, invoice_due(i.node_id, 100) AS d WHERE i.payment_hash = $1';
    expect(await found(DUE, [paymentHash])).toContainEqual({ hash: paymentHash });
    await client.query(`UPDATE invoice SET next_look_at = 'infinity' WHERE payment_hash = '${paymentHash}'`);
    expect(await found(DUE, [paymentHash])).not.toContainEqual({ hash: paymentHash });
    const READS = `SELECT spending_is_due(1, 10, 10, now() + interval '1 hour', now()) AS hour, spending_is_due(1, 10, 10, now() + interval '1 minute', now()) AS minute`;
    expect(await found(READS)).toEqual([{ hour: true, minute: false }]);
    await client.query('ROLLBACK');
    client.release();
    await fixture.release(held.paymentHash);
    await eventually(async () => (await bob.sats()) < 1_000);
  });

  const round = (): Promise<void> => app.get(PaymentReconciler).reconcile(new AbortController().signal);
  const askAgain = async (hash: string): Promise<void> => {
    await timeTravel.paymentIsDue(hash);
    await round();
  };
  const stateOf = async (hash: string): Promise<unknown> => {
    const { me } = await dataOf(app.url, HISTORY, { hash }, bob.as('read'));
    const [{ balance, transactionsByPaymentHash: attempts }] = me.defaultAccount.wallets;
    return { balance, attempts };
  };
  const is = async (condition: string, hash: string): Promise<boolean> =>
    (await app.pool.query(`SELECT 1 FROM payment WHERE payment_hash = $1 AND ${condition}`, [hash])).rowCount === 1;
  const IN_FLIGHT = { balance: 890, attempts: [{ status: 'PENDING', settlementAmount: -110, settlementFee: 10 }] };
  const SETTLED = { balance: 898, attempts: [{ status: 'SUCCESS', settlementAmount: -102, settlementFee: 2 }] };
  const FAILED = { balance: 1_000, attempts: [{ status: 'FAILURE', settlementAmount: -100, settlementFee: 0 }] };

  it.each([
    ['settled', undefined, SETTLED],
    ['failed', 'rejected', FAILED],
  ] as const)('that were in flight when the process ended, and %s meanwhile', async (_how, reason, expected) => {
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    expect(await pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await eventually(() => is('seen_in_flight', outside.paymentHash));
    await restart(() => outsideWorld.query('SELECT simulator.release($1, $2)', [outside.paymentHash, reason ?? null]));
    await timeTravel.paymentIsDue(outside.paymentHash);
    await eventually(() => is("state <> 'in_flight'", outside.paymentHash));
    expect(await stateOf(outside.paymentHash)).toEqual(expected);
  });

  it('that were and are in flight stay so until they end', async () => {
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    await pay(outside.paymentRequest);
    await restart();
    await timeTravel.payment(outside.paymentHash, 86_400);
    await eventually(() => is('checks > 1', outside.paymentHash));
    expect(await stateOf(outside.paymentHash)).toEqual(IN_FLIGHT);
    expect(await pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await fixture.release(outside.paymentHash);
    await eventually(() => is("state = 'settled'", outside.paymentHash));
    expect(await stateOf(outside.paymentHash)).toEqual(SETTLED);
  });

  it('that were never sent are voided when the node has not found them twice, a lease apart', async () => {
    const outside = await fixture.outside(100);
    const database = app.get(Database);
    const query = database.query.bind(database);
    database.query = (statement: Statement, values?: readonly unknown[]) =>
      calls(statement, 'payment_dispatch') ? new Promise<never>(() => undefined) : query(statement, values);
    expect(await pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await restart();
    // Its dispatcher may still be about to send it: "not found" from the node does not count yet.
    await askAgain(outside.paymentHash);
    expect(await is('not_found_at IS NULL AND dispatched_at IS NULL', outside.paymentHash)).toBe(true);
    expect(await pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    await timeTravel.payment(outside.paymentHash, LEASE_SECONDS);
    await eventually(async () => (await askAgain(outside.paymentHash), is('not_found_at IS NOT NULL', outside.paymentHash)));
    // Reported twice, but without a lease between: still held.
    await askAgain(outside.paymentHash);
    expect(await stateOf(outside.paymentHash)).toEqual(IN_FLIGHT);
    await timeTravel.payment(outside.paymentHash, LEASE_SECONDS);
    await round();
    await eventually(() => is("state = 'failed' AND failure = 'never_sent'", outside.paymentHash));
    expect(await stateOf(outside.paymentHash)).toEqual(FAILED);
    expect(await pay(outside.paymentRequest)).toMatchObject({ errors: [] });
    await eventually(() => is("state = 'settled'", outside.paymentHash));
  });

  it('that were in flight and that the node has lost are never voided as not sent, and the operator gets a log line', async () => {
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    await pay(outside.paymentRequest);
    await eventually(() => is('seen_in_flight', outside.paymentHash));
    // As after the node's operator has deleted payments, or restored the node from an older copy.
    const forget = `DELETE FROM simulator.payment WHERE payment_hash = $1 RETURNING to_jsonb(payment) AS row`;
    const { rows } = await app.pool.query(forget, [outside.paymentHash]);
    const told = (): boolean => app.logs.some((line) => line.includes('payment_forgotten_by_node'));
    for (let looks = 0; looks < 3; looks++) {
      await timeTravel.payment(outside.paymentHash, LEASE_SECONDS);
      await round();
    }
    await eventually(told);
    expect(await stateOf(outside.paymentHash)).toEqual(IN_FLIGHT);
    // The node knows it again: the end is booked as usual.
    await app.pool.query(
      'INSERT INTO simulator.payment OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::simulator.payment, $1)',
      [rows[0].row],
    );
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await askAgain(outside.paymentHash), is("state = 'settled'", outside.paymentHash)));
    expect(await stateOf(outside.paymentHash)).toEqual(SETTLED);
  });

  it('that the node did not find at first and has in flight later count as sent from then on', async () => {
    const outside = await fixture.outside(100, { lost: true });
    await pay(outside.paymentRequest);
    await timeTravel.payment(outside.paymentHash, LEASE_SECONDS);
    await eventually(async () => (await askAgain(outside.paymentHash), is('not_found_at IS NOT NULL', outside.paymentHash)));
    // The request reaches the node after all, when its lease is over.
    await fixture.simulator.setFaults(outside.paymentHash, { hold: true, routeFeeMsat: 2_000n });
    const { paymentRequest, paymentHash } = outside;
    await app.get(LightningBackend).pay({ paymentRequest, paymentHash, amountMsat: 100_000n, feeLimitMsat: 10_000n, timeoutSeconds: 1 });
    await eventually(async () => (await askAgain(paymentHash), is('seen_in_flight AND not_found_at IS NULL', paymentHash)));
    expect(await stateOf(paymentHash)).toEqual(IN_FLIGHT);
    await fixture.release(paymentHash);
    await eventually(() => is("state = 'settled'", paymentHash));
  });

  it('are looked up at the node that sent them, and at no other', async () => {
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    await pay(outside.paymentRequest);
    await app.pool.query(`UPDATE payment SET node_id = '02' || repeat('ab', 32), seen_in_flight = false WHERE payment_hash = $1`, [
      outside.paymentHash,
    ]);
    await timeTravel.payment(outside.paymentHash, 86_400);
    await eventually(() => app.logs.some((line) => line.includes('payment_node_mismatch')));
    expect(await stateOf(outside.paymentHash)).toEqual(IN_FLIGHT);
    const { nodesIds } = (await dataOf(app.url, '{ globals { nodesIds } }')).globals;
    await app.pool.query('UPDATE payment SET node_id = $2 WHERE payment_hash = $1', [outside.paymentHash, nodesIds[0]]);
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await askAgain(outside.paymentHash), is("state = 'settled'", outside.paymentHash)));
  });

  it('to this server, settled while no process listened, are credited once', async () => {
    const invoices = [await bob.invoice(10), await bob.invoice(20)];
    const send =
      'SELECT state FROM simulator.send($1, ARRAY[$2], ARRAY[$3], ARRAY[NULL]::bigint[], ARRAY[NULL]::bigint[], ARRAY[$4]::jsonb[])';
    await restart(async () => {
      for (const { paymentHash, paymentRequest } of invoices)
        expect((await outsideWorld.query(send, ['outside', paymentHash, paymentRequest, '{}'])).rows).toEqual([{ state: 'settled' }]);
    });
    await eventually(async () => ((await stateOf(invoices[1]?.paymentHash ?? '')) as { balance: number }).balance === 1_030);
    for (const { paymentHash } of invoices)
      expect((await stateOf(paymentHash)) as object).toMatchObject({ attempts: [{ status: 'SUCCESS' }] });
  });

  it('settled for an impossible fee stay in flight, are logged, and delay no other', async () => {
    const outside = (): ReturnType<Fixture['outside']> => fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    const [broken, negative, sound] = await Promise.all([outside(), outside(), outside()]);
    for (const { paymentRequest } of [broken, negative, sound]) expect(await pay(paymentRequest)).toMatchObject({ status: 'PENDING' });
    const finish = async ({ paymentHash, preimage }: typeof sound, feeMsat: bigint): Promise<FinishOutcome> => {
      const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM payment WHERE payment_hash = $1', [paymentHash]);
      return app.get(PaymentFinisher).finish({ id: rows[0]?.id ?? '', paymentHash }, { status: 'settled', preimage, feeMsat });
    };
    expect(await Promise.all([finish(broken, 1n << 70n), finish(negative, -1n), finish(sound, 2_000n)])).toEqual([
      'refused',
      'refused',
      'finished',
    ]);
    for (const { paymentHash } of [broken, negative]) expect(await is("state = 'in_flight'", paymentHash)).toBe(true);
    expect(await is("state = 'settled'", sound.paymentHash)).toBe(true);
    expect(app.logs.filter((line) => line.includes('payment_outcome_rejected'))).toHaveLength(2);
    for (const { paymentHash } of [broken, negative, sound]) await fixture.release(paymentHash);
    for (const { paymentHash } of [broken, negative]) await eventually(() => is("state = 'settled'", paymentHash));
    expect(await bob.sats()).toBe(1_000 - 3 * 102);
  });

  it('whose end was lost in a failover are ended again by the process that booked it', async () => {
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 2_000n });
    expect(await pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    const lost = jest.spyOn(app.get(PaymentStore), 'finish').mockResolvedValueOnce({ code: 'finished', lossMsat: 0n });
    await fixture.release(outside.paymentHash);
    await eventually(() => lost.mock.calls.length > 0);
    lost.mockRestore();
    const now = jest.spyOn(app.get(Clock), 'elapsed').mockImplementation(() => performance.now() + 15_000);
    await eventually(async () => {
      await askAgain(outside.paymentHash);
      return is("state = 'settled'", outside.paymentHash);
    });
    now.mockRestore();
    expect(await stateOf(outside.paymentHash)).toEqual(SETTLED);
  });

  it('to this server of impossible amounts credit no account and are logged, and the others are credited', async () => {
    const nonsense = [0n, -5n, 3_000_000_000_000_000_000n, 1n << 70n];
    const [before, sound, ...bad] = await Promise.all([bob.invoice(1), bob.invoice(2), ...nonsense.map(() => bob.invoice(10))]);
    await fixture.simulator.payOutside(before.paymentRequest);
    await eventually(async () => (await bob.sats()) === 1_001);

    const said = new Map(nonsense.map((amountMsat, n) => [bad[n]?.paymentHash, amountMsat]));
    // The node reports a settlement that is booked already, now with another amount: the cursor was lost, and the node's data is wrong.
    said.set(before.paymentHash, 1_001n);
    const node = app.get(LightningBackend);
    const settlements = node.invoiceSettlements.bind(node);
    let listens = false;
    node.invoiceSettlements = async function* (_after, signal) {
      listens = true;
      for await (const told of settlements(0n, signal)) yield { ...told, amountMsat: said.get(told.paymentHash) ?? told.amountMsat };
    };
    // Look-ups of single invoices return the same wrong amounts.
    const lookUp = node.lookupInvoice.bind(node);
    node.lookupInvoice = async (hash) => {
      const state = await lookUp(hash);
      return state.status === 'settled' ? { ...state, amountMsat: said.get(hash) ?? state.amountMsat } : state;
    };
    await app.pool.query('UPDATE settlement_cursor SET settle_index = 0');
    await fixture.simulator.payOutside((await bob.invoice(3)).paymentRequest, { faults: { disconnect: true } });
    await eventually(() => listens);
    for (const { paymentRequest } of [...bad, sound]) await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => (await bob.sats()) === 1_006);
    const rejected = (paymentHash = 'none'): string[] =>
      app.logs.filter((line) => line.includes('settlement_rejected') && line.includes(paymentHash));
    // A look-up may credit the others first.
    for (const paymentHash of said.keys()) await eventually(() => rejected(paymentHash).length > 0);
    expect(await fixture.simulator.payOutside((await bob.invoice(4)).paymentRequest)).toMatchObject({ status: 'paid' });
    await eventually(async () => (await bob.sats()) === 1_010);
    const shown = await settlementsToReview();
    for (const [paymentHash, amountMsat] of said)
      expect(shown).toContainEqual(expect.stringContaining(`refused   ${amountMsat} msat ${paymentHash}`));
    expect(shown).toHaveLength(said.size);
    for (const paymentHash of said.keys()) expect(rejected(paymentHash)).toHaveLength(1);

    // Nothing was left behind: once the node's data is right again, its repeated settlements are booked.
    await restart(() => outsideWorld.query('UPDATE settlement_cursor SET settle_index = 0'));
    await eventually(async () => ((await stateOf(sound.paymentHash)) as { balance: number }).balance === 1_050);
    expect(await settlementsToReview()).toEqual([expect.stringContaining(before.paymentHash)]);
  });
});
