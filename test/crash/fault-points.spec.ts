import { violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import { CrashingServer, LONG_LEASE } from './crashing-server.js';
import { FaultPoints, type FaultPoint } from './fault-points.js';

const SATS = 1_000;
let system: CrashingServer;
let points: FaultPoints;

beforeAll(async () => {
  // A statement that stops at a point stays there until its process is killed.
  const patient = { DATABASE_STATEMENT_SECONDS: '240', DATABASE_LOCK_MS: '60000', DATABASE_POOL_SIZE: '24', ...LONG_LEASE };
  system = await CrashingServer.prepare(8, SATS, patient);
  points = await FaultPoints.plant(system.database.connection);
  await system.server.start();
});
afterAll(async () => {
  await points?.close();
  await system?.close();
});

/** Asks without waiting: a killed server does not answer. */
const ask = (call: Promise<unknown>): void => void call.catch(() => undefined);
const stateOf = async (paymentHash: string): Promise<string | undefined> =>
  (
    await system.pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1 ORDER BY created_at DESC LIMIT 1', [
      paymentHash,
    ])
  ).rows[0]?.state;
const final = async (paymentHash: string): Promise<string> =>
  eventually(async () => {
    const state = await stateOf(paymentHash);
    if (state !== 'in_flight') return state ?? 'never begun';
    await system.older(paymentHash);
    return null;
  });
const nodes = async (paymentHash: string): Promise<string[]> =>
  (await system.simulator.listPayments(1_000)).filter((payment) => payment.paymentHash === paymentHash).map(({ state }) => state);

const COMMIT_OUTCOMES = ['rollBack', 'commit'] as const;
type CommitOutcome = (typeof COMMIT_OUTCOMES)[number];
const words: Record<CommitOutcome, string> = { rollBack: 'before the commit', commit: 'after the commit, before its answer' };

/** Begins a request and waits until it has stopped at a point. */
async function stopAt(point: FaultPoint, begin: () => Promise<unknown>): Promise<void> {
  await points.set(point);
  ask(begin());
  await points.reached(point);
}

describe.each(COMMIT_OUTCOMES)('a process that is killed (%s), alone, and starts again', (commitOutcome) => {
  const [ENDED, FAILED, ASKED, BEGUN, PAYER, PAYEE, MOVER, GETTER] = [0, 1, 2, 3, 4, 5, 6, 7];
  const invoices: { paymentRequest: string; paymentHash: string }[] = [];
  const before: number[] = [];
  const invoice = (n: number): { paymentRequest: string; paymentHash: string } => invoices[n] ?? { paymentRequest: '', paymentHash: '' };
  const lost = async (n: number): Promise<number> => (before[n] ?? 0) - (await system.person(n).sats());
  const pay = (n: number): Promise<unknown> => system.person(n).pay(invoice(n).paymentRequest);

  beforeAll(async () => {
    for (let n = 0; n < 8; n++) before.push(await system.person(n).sats());
    invoices[ENDED] = await system.outside(100);
    invoices[FAILED] = await system.outside(100, { fail: 'no_route', hold: true });
    invoices[ASKED] = await system.outside(100);
    invoices[BEGUN] = await system.outside(100);
    invoices[PAYER] = await system.person(PAYEE).invoice(70);
    invoices[MOVER] = await system.person(GETTER).invoice(80);
    ask(pay(FAILED));
    await eventually(async () => (await nodes(invoice(FAILED).paymentHash)).length > 0);
    // In this order, so that no payment stops at a point that another has to pass.
    const stops = [
      ['close copy', PAYER],
      ['finish', ENDED],
      ['send', ASKED],
      ['begin', BEGUN],
      ['move', MOVER],
    ] as const;
    for (const [point, payer] of stops) await stopAt(point, () => pay(payer));
    await points.kill(
      system.server,
      commitOutcome,
      stops.map(([point]) => point),
    );
    await system.simulator.release(invoice(FAILED).paymentHash);
    await system.server.start();
  });

  it(`at the end of a payment, ${words[commitOutcome]}: charges it once`, async () => {
    expect(await final(invoice(ENDED).paymentHash)).toBe('settled');
    expect(await lost(ENDED)).toBe(102);
  });

  it('with a payment in flight that fails before the restart: charges nothing', async () => {
    expect(await final(invoice(FAILED).paymentHash)).toBe('failed');
    expect(await lost(FAILED)).toBe(0);
  });

  it(`during the call to the node, ${words[commitOutcome]}: charges what the node did, and nothing else`, async () => {
    const settled = commitOutcome === 'commit';
    expect(await final(invoice(ASKED).paymentHash)).toBe(settled ? 'settled' : 'failed');
    expect(await nodes(invoice(ASKED).paymentHash)).toEqual(settled ? ['settled'] : []);
    expect(await lost(ASKED)).toBe(settled ? 102 : 0);
  });

  it(`at the beginning of a payment, ${words[commitOutcome]}: never sends or charges it, and it can be paid again`, async () => {
    expect(await final(invoice(BEGUN).paymentHash)).toBe(commitOutcome === 'commit' ? 'failed' : 'never begun');
    expect(await nodes(invoice(BEGUN).paymentHash)).toEqual([]);
    expect(await lost(BEGUN)).toBe(0);
    expect(await pay(BEGUN)).toMatchObject({ status: 'SUCCESS' });
  });

  it(`during an internal payment, ${words[commitOutcome]}: moves all or nothing, and a repeat pays once`, async () => {
    const moved = commitOutcome === 'commit' ? 80 : 0;
    expect([await lost(MOVER), 0 - (await lost(GETTER))]).toEqual([moved, moved]);
    expect(await pay(MOVER)).toMatchObject({ status: moved ? 'ALREADY_PAID' : 'SUCCESS' });
    expect([await lost(MOVER), await lost(GETTER)]).toEqual([80, -80]);
  });

  it(`before it cancels the node's copy of an internally paid invoice, ${words[commitOutcome]}: a second payment goes to the recipient`, async () => {
    expect([await lost(PAYER), await lost(PAYEE)]).toEqual([70, -70]);
    const { status } = await system.simulator.payOutside(invoice(PAYER).paymentRequest);
    // The process that starts next cancels the copy (invoice_cancel_recovery), unless this payer is faster.
    expect(commitOutcome === 'commit' ? ['cancelled'] : ['cancelled', 'paid']).toContain(status);
    await eventually(async () => (await lost(PAYEE)) === (status === 'paid' ? -140 : -70));
  });

  it('passes the ledger audit', async () => {
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
