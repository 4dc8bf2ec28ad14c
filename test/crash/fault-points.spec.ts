import { violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import { CrashingServer } from './crashing-server.js';
import { FaultPoints, type FaultPoint } from './fault-points.js';

const SATS = 1_000;
let system: CrashingServer;
let points: FaultPoints;

beforeAll(async () => {
  system = await CrashingServer.prepare(10, SATS);
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
    return state === 'in_flight' ? null : (state ?? 'never begun');
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

describe.each(COMMIT_OUTCOMES)('a process killed (%s) while it pays over Lightning', (commitOutcome) => {
  const [ENDED, FAILED, ASKED, BEGUN] = [0, 1, 2, 3];
  const invoices: { paymentRequest: string; paymentHash: string }[] = [];
  const before: number[] = [];
  const invoice = (n: number): { paymentRequest: string; paymentHash: string } => invoices[n] ?? { paymentRequest: '', paymentHash: '' };
  const lost = async (n: number): Promise<number> => (before[n] ?? 0) - (await system.person(n).sats());

  beforeAll(async () => {
    for (let n = 0; n < 4; n++) before.push(await system.person(n).sats());
    invoices.push(
      await system.outside(100),
      await system.outside(100, { fail: 'no_route', hold: true }),
      await system.outside(100),
      await system.outside(100),
    );
    ask(system.person(FAILED).pay(invoice(FAILED).paymentRequest));
    await eventually(async () => (await nodes(invoice(FAILED).paymentHash)).length > 0);
    // In this order, so that no payment stops at a point that another has to pass.
    await stopAt('finish', () => system.person(ENDED).pay(invoice(ENDED).paymentRequest));
    await stopAt('send', () => system.person(ASKED).pay(invoice(ASKED).paymentRequest));
    await stopAt('begin', () => system.person(BEGUN).pay(invoice(BEGUN).paymentRequest));
    await points.kill(system.server, commitOutcome, ['finish', 'send', 'begin']);
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
    expect(await system.person(BEGUN).pay(invoice(BEGUN).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('passes the ledger audit', async () => {
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});

describe.each(COMMIT_OUTCOMES)('a process killed (%s) while it receives or pays internally', (commitOutcome) => {
  const [PAYER, PAYEE, MOVER, GETTER, RECIPIENT] = [4, 5, 6, 7, 8];
  let paidInside: { paymentRequest: string; paymentHash: string };
  let moving: { paymentRequest: string; paymentHash: string };
  const before: number[] = [];
  const gained = async (n: number): Promise<number> => (await system.person(n).sats()) - (before[n] ?? 0);

  beforeAll(async () => {
    for (let n = 0; n < 9; n++) before.push(await system.person(n).sats());
    paidInside = await system.person(PAYEE).invoice(70);
    moving = await system.person(GETTER).invoice(80);
    const incoming = await system.person(RECIPIENT).invoice(90);
    await stopAt('close copy', () => system.person(PAYER).pay(paidInside.paymentRequest));
    await stopAt('move', () => system.person(MOVER).pay(moving.paymentRequest));
    await stopAt('settle', () => system.simulator.payOutside(incoming.paymentRequest));
    await points.kill(system.server, commitOutcome, ['close copy', 'move', 'settle']);
    await system.server.start();
  });

  it(`during the credit of a settlement, ${words[commitOutcome]}: credits it once`, async () => {
    await eventually(async () => (await gained(RECIPIENT)) === 90);
  });

  it(`during an internal payment, ${words[commitOutcome]}: moves all or nothing, and a repeat pays once`, async () => {
    const moved = commitOutcome === 'commit' ? 80 : 0;
    expect([await gained(MOVER), await gained(GETTER)]).toEqual([0 - moved, moved]);
    expect(await system.person(MOVER).pay(moving.paymentRequest)).toMatchObject({ status: moved ? 'ALREADY_PAID' : 'SUCCESS' });
    expect([await gained(MOVER), await gained(GETTER)]).toEqual([-80, 80]);
  });

  it(`before it cancels the node's copy of an internally paid invoice, ${words[commitOutcome]}: a second payment goes to the recipient`, async () => {
    expect([await gained(PAYER), await gained(PAYEE)]).toEqual([-70, 70]);
    const { status } = await system.simulator.payOutside(paidInside.paymentRequest);
    // The process that starts next cancels the copy (invoice_cancel_recovery), unless this payer is faster.
    expect(commitOutcome === 'commit' ? ['cancelled'] : ['cancelled', 'paid']).toContain(status);
    await eventually(async () => (await gained(PAYEE)) === (status === 'paid' ? 140 : 70));
  });

  it('passes the ledger audit', async () => {
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
