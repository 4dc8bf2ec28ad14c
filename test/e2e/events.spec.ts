import pg from 'pg';
import { Events } from '../../src/events/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { World, type Person } from '../support/world.js';

/** Events come in the order of their commits: none before one that may still be written. */
describe('events, and transactions that are left open', () => {
  let app: TestApp;
  let world: World;
  let alice: Person;
  let bob: Person;
  let heard: string[];
  let off: () => void;

  beforeAll(async () => {
    app = await createTestApp();
    world = new World(app);
    [alice, bob] = [await world.user({ sats: 1_000 }), await world.user()];
  });
  beforeEach(() => {
    heard = [];
    off = app.get(Events).on('invoice.changed', (_event, hash) => void heard.push(hash));
  });
  afterEach(async () => {
    off();
    await world.expectBalanced();
  });
  afterAll(() => app.close());

  /** Somebody's transaction that has a number, which is what snapshots wait for. */
  const leaveOpen = async (database?: string): Promise<pg.Client> => {
    const client = new pg.Client({ ...app.database.connection, ...(database !== undefined && { database }) });
    await client.connect();
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    return client;
  };
  const payBob = async (): Promise<string> => {
    const { paymentRequest, paymentHash } = await bob.invoice(10);
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    return paymentHash;
  };

  it('one in another database of the cluster holds nothing up', async () => {
    const other = await leaveOpen('postgres');
    const hash = await payBob();
    await eventually(() => heard.includes(hash), 2_000);
    await eventually(() => app.get(Events).current, 2_000);
    await other.end();
  });

  it('one in ours holds up what it might come before, and no answer', async () => {
    const ours = await leaveOpen();
    const hash = await payBob();
    expect(await alice.pay((await world.outside(10)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    await ours.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['first'], ARRAY['{}'::jsonb])`);
    expect(heard).toEqual([]);
    await ours.query('COMMIT');
    await ours.end();
    await eventually(() => heard.includes(hash));
    expect(heard.slice(0, 1)).toEqual(['first']);
  });

  it('those of a dump from another cluster do not stay', async () => {
    await app.pool.query(
      `INSERT INTO event (xid, topic, key, payload) VALUES ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000)::text::xid8, 'invoice.changed', 'foreign', '{}')`,
    );
    const restored = await createTestApp({ beside: app });
    await eventually(() => restored.get(Events).current);
    expect((await app.pool.query(`SELECT FROM event WHERE key = 'foreign'`)).rowCount).toBe(0);
    await restored.close();
  });
});
