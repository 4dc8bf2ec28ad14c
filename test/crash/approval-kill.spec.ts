import { eventually } from '../../src/testing/eventually.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { CrashingServer, LONG_LEASE } from './crashing-server.js';
import { FaultPoints, type APPROVAL_POINTS } from './fault-points.js';

const COST = 102;
const AMOUNT = 100;

let system: CrashingServer;
let points: FaultPoints;

beforeAll(async () => {
  // A statement that stops at a point stays there until its process is killed.
  const patient = {
    DATABASE_STATEMENT_SECONDS: '240',
    DATABASE_LOCK_MS: '60000',
    DATABASE_POOL_SIZE: '24',
    ACCOUNT_LIMITS: 'none',
    ...LONG_LEASE,
  };
  system = await CrashingServer.prepare(1, 10_000, patient);
  points = await FaultPoints.plant(system.database.connection);
  await system.pool.query(`INSERT INTO budget_ask (id, payment_msat) SELECT id::text, 0 FROM api_key`);
  await system.server.start();
});
afterAll(async () => {
  await points?.close();
  await system?.close();
});

interface Asked {
  readonly id: string;
  readonly state: string;
  readonly status: string;
}
const asked = async (paymentHash: string): Promise<Asked | undefined> =>
  (
    await system.pool.query<Asked>(
      'SELECT w.id, w.state, t.status FROM payment_approval w JOIN transaction t ON t.id = w.id WHERE w.payment_hash = $1',
      [paymentHash],
    )
  ).rows[0];
/** As the page does: one statement. */
const approve = (id: string): Promise<unknown> =>
  system.pool.query('SELECT payment_approve(w.id, w.user_id) FROM payment_approval w WHERE w.id = $1', [id]);

describe('a process that is killed while a payment asks its owner, or is begun after their approval', () => {
  // What comes after the beginning is that of every payment (matrix.spec.ts).
  it.each<[point: (typeof APPROVAL_POINTS)[number] | 'begin', outcome: 'rollBack' | 'commit']>([
    ['ask', 'commit'],
    ['begin', 'rollBack'],
    ['begin', 'commit'],
    ['answered', 'rollBack'],
  ])('at the step %s (%s): it is paid once, or has failed for its payer', async (point, outcome) => {
    const person = system.person(0);
    const [before, invoice] = [await person.sats(), await system.outside(AMOUNT)];
    const isAsking = point === 'ask';
    if (isAsking) await points.set(point);
    const sending = person.pay(invoice.paymentRequest).catch(() => undefined);
    if (!isAsking) {
      await sending;
      await points.set(point);
      await approve((await asked(invoice.paymentHash))?.id ?? '');
    }
    await points.reached(point);
    await points.kill(system.server, outcome, [point]);
    // The claim of the job that died is over.
    await system.pool.query(`UPDATE job SET run_at = now() WHERE task = 'payment_approved'`);
    await system.server.start();
    if (isAsking) {
      // A repeat asks, or finds what was asked.
      expect(await system.person(0).pay(invoice.paymentRequest)).toMatchObject({ status: 'PENDING' });
      await approve((await asked(invoice.paymentHash))?.id ?? '');
    }
    // Where it had not begun, the job of the approval begins it.
    const begins = isAsking || (point === 'begin' && outcome === 'rollBack');
    const end = await eventually(async () => {
      if (!begins) await system.older(invoice.paymentHash);
      const now = await asked(invoice.paymentHash);
      return now?.state === 'ended' && now.status !== 'PENDING' ? now : null;
    });
    const { rows } = await system.pool.query<{ id: string; state: string }>('SELECT id, state FROM payment WHERE payment_hash = $1', [
      invoice.paymentHash,
    ]);
    expect(rows).toEqual([{ id: end.id, state: end.status === 'SUCCESS' ? 'settled' : 'failed' }]);
    expect(before - (await system.person(0).sats())).toBe(end.status === 'SUCCESS' ? COST : 0);
    if (begins) expect(end.status).toBe('SUCCESS');
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
