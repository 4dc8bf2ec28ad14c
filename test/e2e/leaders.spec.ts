import { Leaders } from '../../src/platform/job/index.js';
import { LightningNode } from '../../src/money/lightning/index.js';
import type { Loop } from '../../src/platform/loop/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const ROLES = ['payment_outcomes', 'settlements'];

describe('the processes on one database', () => {
  let first: TestApp;
  let second: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeEach(async () => {
    first = await createTestApp();
    fixture = new Fixture(first);
    alice = await fixture.user();
    await eventually(async () => (await leadsIn(first)).length === 2);
    second = await createTestApp({ beside: first });
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    await second.close();
    await first.close();
  });

  const leadsIn = async (app: TestApp): Promise<string[]> =>
    [...(await app.get(Metrics).text()).matchAll(/^sluice_leader\{role="(\w+)"\} 1$/gm)].map(([, role]) => String(role)).toSorted();
  const pay = async (sats: number): Promise<void> => {
    const before = await alice.sats();
    const { paymentRequest } = await alice.invoice(sats);
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => (await alice.sats()) === before + sats);
  };
  /** As when a process stands still for longer than its claim. */
  const endClaims = (): Promise<unknown> => first.pool.query(`UPDATE job SET run_at = now() WHERE class = 'role'`);

  it('have one leader in each role, which alone follows the node; another follows when it stops', async () => {
    const followed = jest.spyOn(second.get(LightningNode), 'invoiceSettlements');
    await pay(10);
    expect([await leadsIn(first), await leadsIn(second)]).toEqual([ROLES, []]);
    expect(followed).not.toHaveBeenCalled();
    await first.get(Leaders).onApplicationShutdown();
    await eventually(async () => (await leadsIn(second)).length === 2);
    await eventually(() => followed.mock.calls.length === 1);
    await pay(20);
  });

  it('may have two leaders: each payment is credited once', async () => {
    const loopOf = (app: TestApp): Loop => Reflect.get(Reflect.get(app.get(Leaders), 'jobs') as object, 'loop') as Loop;
    // It does not hear that its claims are over.
    await loopOf(first).stop();
    await endClaims();
    await eventually(async () => (await leadsIn(second)).length === 2);
    expect([await leadsIn(first), await leadsIn(second)]).toEqual([ROLES, ROLES]);
    for (const sats of [1, 2, 3]) await pay(sats);
    expect(await alice.sats()).toBe(6);
  });

  it('have one leader again after its claim was over', async () => {
    await endClaims();
    await eventually(async () => [...(await leadsIn(first)), ...(await leadsIn(second))].length === 2);
    await pay(30);
  });

  it('offer the role to another process when one cannot reach the node', async () => {
    const info = jest.spyOn(first.get(LightningNode), 'info').mockResolvedValue({ status: 'unknown' });
    jest.spyOn(first.get(LightningNode), 'invoiceSettlements').mockImplementation(async function* () {});
    await first.pool.query(`UPDATE simulator.node SET away = true WHERE name = 'ours'`);
    await fixture.simulator.setAway(true);
    await eventually(() => info.mock.calls.length > 0);
    await fixture.simulator.setAway(false);
    await eventually(async () => (await leadsIn(second)).includes('settlements'));
    await pay(40);
  });

  it('say at the start how many connections they may open, and that the database offers too few', async () => {
    const reported = (app: TestApp): string | undefined => app.logs.find((line) => line.includes('database_connection_budget'));
    await eventually(() => reported(second));
    expect(reported(first)).toContain('1 processes on this database');
    expect(reported(second)).toContain('2 processes on this database');
    expect(second.logs.join()).not.toContain('database_connections_scarce');
    await first.pool.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 100', current_database()); END $$`);
    const third = await createTestApp({ beside: first, env: { DATABASE_POOL_SIZE: '40' } });
    try {
      await eventually(() => third.logs.some((line) => line.includes('database_connections_scarce')));
    } finally {
      await third.close();
    }
  });
});
