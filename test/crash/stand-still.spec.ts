import { violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import type { ServerProcess } from '../support/server-process.js';
import { CrashingServer } from './crashing-server.js';
import { FaultPoints } from './fault-points.js';

let system: CrashingServer;
let points: FaultPoints;
let other: ServerProcess;

beforeAll(async () => {
  system = await CrashingServer.prepare(2, 1_000);
  points = await FaultPoints.plant(system.database.connection);
  await system.server.start();
  other = await system.server.sibling();
});
afterAll(async () => {
  await points?.close();
  await other?.end('SIGKILL');
  await system?.close();
});

const stateOf = async (paymentHash: string): Promise<string | undefined> =>
  (await system.pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1', [paymentHash])).rows[0]?.state;

describe('a process that is stopped (SIGSTOP) between the beginning of a payment and the call to the node', () => {
  it('for longer than the lease: another process voids the hold, and the first sends nothing when it continues', async () => {
    const { paymentRequest, paymentHash } = await system.outside(100);
    await points.set('begin');
    const paying = system.person(0).pay(paymentRequest);
    await points.reached('begin');
    process.kill(system.server.pid, 'SIGSTOP');
    await points.open('begin');
    await eventually(async () => (await stateOf(paymentHash)) === 'in_flight');

    await other.start();
    await eventually(async () => (await stateOf(paymentHash)) === 'failed');
    process.kill(system.server.pid, 'SIGCONT');
    // PENDING if the process stood still for longer than a payment waits.
    expect(['FAILURE', 'PENDING']).toContain((await paying).status);
    expect((await system.simulator.listPayments(1_000)).filter((payment) => payment.paymentHash === paymentHash)).toEqual([]);
    expect(await system.person(0).sats()).toBe(1_000);
    // Its lease is short here: one that is sent too late fails, and can be paid again.
    await eventually(async () => (await system.person(0).pay(paymentRequest)).status === 'SUCCESS');
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
