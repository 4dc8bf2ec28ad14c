import { JobWorkers, type JobClass } from '../../src/platform/job/index.js';
import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import { LightningNode } from '../../src/money/lightning/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const ROLES = ['deposits', 'payment_outcomes', 'payouts', 'settlements'];
const ROLE = 'settlements';

describe('the processes on one database', () => {
  let apps: TestApp[];
  let first: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    first = await createTestApp();
    fixture = new Fixture(first);
    alice = await fixture.user();
    await eventually(async () => (await leadsIn(first)).length === ROLES.length);
    const second = await createTestApp({ beside: first });
    // A process that starts gets the lines of all.
    await eventually(() => reported(second));
    apps = [first, second];
    await first.pool.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 100', current_database()); END $$`);
    apps.push(await createTestApp({ beside: first, env: { DATABASE_POOL_SIZE: '40' } }));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    for (const app of apps.reverse()) await app.close();
  });

  const reported = (app?: TestApp): string | undefined => app?.logs.find((line) => line.includes('database_connection_budget'));
  const leadsIn = async (app: TestApp): Promise<string[]> =>
    [...(await app.get(Metrics).text()).matchAll(/^sluice_leader\{role="(\w+)"\} 1$/gm)].map(([, role]) => String(role)).toSorted();
  const leading = async (): Promise<string[]> => (await Promise.all(apps.map(leadsIn))).flat().toSorted();
  const leaders = async (): Promise<TestApp[]> => {
    const lead = await Promise.all(apps.map(async (app) => (await leadsIn(app)).includes(ROLE)));
    return apps.filter((_, index) => lead[index]);
  };
  /** The one process that leads, and the others. */
  const sides = async (): Promise<[TestApp, TestApp[]]> => {
    const [leader] = (await eventually(async () => ((await leaders()).length === 1 ? leaders() : undefined))) as [TestApp];
    return [leader, apps.filter((app) => app !== leader)];
  };
  const pay = async (sats: number): Promise<void> => {
    const before = await alice.sats();
    const { paymentRequest } = await alice.invoice(sats);
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => (await alice.sats()) === before + sats);
  };
  /** As when a process stands still for longer than its claim. */
  const endClaims = (): Promise<unknown> => first.pool.query(`UPDATE job SET run_at = now() WHERE class = 'role'`);

  it('say at the start how many connections they may open, and that the database offers too few', async () => {
    const [, second, third] = apps;
    expect(reported(first)).toContain('1 processes on this database');
    expect(reported(second)).toContain('2 processes on this database');
    expect(second?.logs.join()).not.toContain('database_connections_scarce');
    await eventually(() => third?.logs.some((line) => line.includes('database_connections_scarce')));
  });

  it('have one leader in each role, which alone follows the node, and one again after its claim was over', async () => {
    const [leader, others] = await sides();
    const followed = others.map((app) => jest.spyOn(app.get(LightningNode), 'invoiceSettlements'));
    await pay(10);
    await eventually(async () => (await leading()).join() === ROLES.join());
    // A process that stands still for longer than its claim, as on a busy machine, loses its role.
    if ((await sides())[0] === leader) for (const each of followed) expect(each).not.toHaveBeenCalled();
    await endClaims();
    await eventually(async () => (await leading()).join() === ROLES.join());
    await pay(30);
  });

  it('offer the role to another process when one cannot reach the node', async () => {
    const [leader] = await sides();
    jest.spyOn(leader.get(LightningNode), 'info').mockResolvedValue({ status: 'unknown' });
    jest.spyOn(leader.get(LightningNode), 'invoiceSettlements').mockImplementation(async function* () {});
    await fixture.simulator.setAway(true);
    await eventually(() => leader.get(SettlementStreamService).heardMs === 0);
    await fixture.simulator.setAway(false);
    await eventually(async () => (await leaders()).some((app) => app !== leader));
    await pay(40);
  });

  it('may have two leaders: each payment is credited once; another process leads when one stops', async () => {
    const [deaf, others] = await sides();
    const before = await alice.sats();
    // It does not hear that its claims are over.
    const classes = Reflect.get(deaf.get(JobWorkers), 'classes') as ReadonlyMap<string, JobClass>;
    await classes.get('role')?.loop.stop();
    await endClaims();
    await eventually(async () => (await leaders()).length === 2);
    for (const sats of [1, 2, 3]) await pay(sats);
    expect(await alice.sats()).toBe(before + 6);
    const leads = await Promise.all(others.map(async (app) => (await leadsIn(app)).includes(ROLE)));
    const [leader, last] = (leads[0] ? others : others.toReversed()) as [TestApp, TestApp];
    const followed = jest.spyOn(last.get(LightningNode), 'invoiceSettlements');
    await leader.get(JobWorkers).onApplicationShutdown();
    await eventually(() => followed.mock.calls.length === 1);
    await pay(20);
  });
});
