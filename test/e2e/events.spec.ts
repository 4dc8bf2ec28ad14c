import pg from 'pg';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { Events } from '../../src/platform/events/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Processes receive events in the order of their commits, and wait for no open transaction that has added none. */
describe('an open transaction', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let heard: string[];
  let off: () => void;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  });
  beforeEach(() => {
    heard = [];
    off = app.get(Events).on('invoice.changed', (_event, hash) => void heard.push(hash));
  });
  afterEach(async () => {
    off();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  /** An open transaction of another session that has an xid, which is what snapshots wait for. */
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

  it('in another database of the cluster delays no event', async () => {
    const other = await leaveOpen('postgres');
    const hash = await payBob();
    await eventually(() => heard.includes(hash));
    await eventually(() => app.get(Events).current);
    await other.end();
  });

  it('in this database delays no event of others, and its own follow its commit', async () => {
    const ours = await leaveOpen();
    await ours.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['late'], ARRAY['{}'::jsonb])`);
    const hash = await payBob();
    await eventually(() => heard.includes(hash));
    await eventually(() => app.get(Events).current);
    expect(heard).not.toContain('late');
    await ours.query('COMMIT');
    await ours.end();
    await eventually(() => heard.includes('late'));
  });

  it('does not keep the socket of a revoked key open', async () => {
    const ours = await leaveOpen();
    const keys = app.get(ApiKeyService);
    const made = await keys.create({ userId: bob.userId, name: 'to be revoked', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error('The key was not created');
    const socket = await RawSocket.admitted(app.url, { 'x-api-key': made.secret });
    await keys.revoke(bob.userId, made.apiKey.id);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await ours.end();
  });
});

describe('stored events', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

  it('of many writers beside an open transaction are all received, each once, in the order of their commits', async () => {
    const heard: string[] = [];
    app.get(Events).on('invoice.changed', (_event, key) => void heard.push(key));
    const foreign = new pg.Client(app.database.connection);
    await foreign.connect();
    await foreign.query('BEGIN; CREATE TABLE foreign_work (i int)');
    const committed: string[] = [];
    // A writer commits its event or rolls it back, and decides which at the end.
    const write = async (client: pg.Client, writer: number): Promise<void> => {
      for (let number = 0; number < 25; number++) {
        const key = `${writer} ${number}`;
        const keep = Math.random() > 0.1;
        await client.query('BEGIN; SELECT pg_current_xact_id(), pg_sleep(random() * 0.004)');
        await client.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['${key}'], ARRAY['{}'::jsonb]), pg_sleep(random() * 0.002)`);
        await client.query(keep ? 'COMMIT' : 'ROLLBACK');
        if (keep) committed.push(key);
        app.get(Events).poll();
      }
    };
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = new pg.Client(app.database.connection);
        await client.connect();
        return client;
      }),
    );
    await Promise.all(clients.map(write));
    await eventually(() => heard.length >= committed.length);
    expect([...heard].sort()).toEqual([...committed].sort());
    const order = await app.pool.query<{ key: string }>(
      `SELECT e.keys[1] AS key FROM event_position p JOIN event e ON e.id = p.event_id WHERE e.topics = '{invoice.changed}' ORDER BY p.position`,
    );
    expect(heard).toEqual(order.rows.map(({ key }) => key));
    await Promise.all([foreign, ...clients].map((client) => client.end()));
  });

  it('that are missing after a reconnection empty every cache, and reading continues', async () => {
    const fixture = new Fixture(app);
    const person = await fixture.user();
    await person.sats();
    const socket = await RawSocket.admitted(app.url, person.as('read'));
    const first: string[] = [];
    app.get(Events).on('invoice.changed', (_event, key) => void first.push(key));
    await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['before'], ARRAY['{}'::jsonb])`);
    await eventually(() => first.includes('before'));
    // An older copy of the database took the place of this one: the key is revoked in it, and this process has no event about that.
    await app.pool.query(`UPDATE api_key SET revoked_at = now() WHERE user_id = '${person.userId}'`);
    await app.pool.query('DELETE FROM event_position; DELETE FROM event');
    // Its session, whatever its latest statement was.
    await app.pool.query(`SELECT setval('event_position_position_seq', 1, false), pg_terminate_backend($1)`, [
      app.get(Events).sessionPid(),
    ]);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await expect(person.sats()).rejects.toThrow();
    expect(app.logs.some((line) => line.includes('events_missed'))).toBe(true);
    const heard: string[] = [];
    app.get(Events).on('invoice.changed', (_event, key) => void heard.push(key));
    await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['after'], ARRAY['{}'::jsonb])`);
    await eventually(() => heard.includes('after'));
  });

  it('are kept at a start, with positions that are valid in any cluster', async () => {
    // As a dump from a cluster with a longer history restores them.
    await app.pool.query(`INSERT INTO event (topics, keys, payloads) VALUES ('{invoice.changed}', '{restored}', '{"{}"}')`);
    await app.pool.query(
      `INSERT INTO event_position (position, event_id) OVERRIDING SYSTEM VALUE SELECT 9000000000, id FROM event WHERE keys = '{restored}' `,
    );
    await app.pool.query(`SELECT setval('event_position_position_seq', 9000000000)`);
    const { rows } = await app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event');
    const beside = await createTestApp({ beside: app });
    const heard: string[] = [];
    beside.get(Events).on('invoice.changed', (_event, key) => void heard.push(key));
    await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['next'], ARRAY['{}'::jsonb])`);
    await eventually(() => heard.includes('next'));
    expect((await app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event')).rows[0]?.n).toBe((rows[0]?.n ?? 0) + 1);
    await beside.close();
  });

  it('whose rows an operator has deleted are passed over, a whole page too', async () => {
    for (let n = 0; n < 101; n++) await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['lost'], ARRAY['{}'::jsonb])`);
    await eventually(() => app.get(Events).current);
    const heard: string[] = [];
    app.get(Events).on('invoice.changed', (_event, key) => void heard.push(key));
    await app.pool.query(`
      BEGIN; LOCK TABLE event_position IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO event (topics, keys, payloads) SELECT '{invoice.changed}', '{gone}', '{"{}"}' FROM generate_series(1, 101);
      SET CONSTRAINTS ALL IMMEDIATE; DELETE FROM event WHERE keys = '{gone}'; COMMIT`);
    await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY['next'], ARRAY['{}'::jsonb])`);
    await eventually(() => heard.includes('next'));
  });

  it('are deleted after an hour, except the last', async () => {
    for (const key of ['one', 'two', 'three'])
      await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY[$1], ARRAY['{}'::jsonb])`, [key]);
    await app.pool.query(`UPDATE event_position SET committed_at = committed_at - interval '2 hours'`);
    // A durable consumer that has not read them keeps them longer.
    await app.pool.query('UPDATE event_consumer SET position = (SELECT max(position) FROM event_position)');
    const { outbox } = app.get(Events) as unknown as { outbox: { purge(): Promise<boolean> } };
    expect(await outbox.purge()).toBe(true);
    expect((await app.pool.query('SELECT keys FROM event')).rows).toEqual([{ keys: ['three'] }]);
    expect((await app.pool.query('SELECT FROM event_position')).rowCount).toBe(1);
  });

  it('are read by key, also by a session that was opened while the tables had a few rows', async () => {
    const publish = (count: number): Promise<unknown> =>
      app.pool.query(
        `DO $$ BEGIN FOR n IN 1..${count} LOOP PERFORM event_add(ARRAY['invoice.changed'], ARRAY['x'], ARRAY['{}'::jsonb]); END LOOP; END $$`,
      );
    await publish(5);
    await app.pool.query('ANALYZE event; ANALYZE event_position');
    const beside = await createTestApp({ beside: app });
    const { outbox } = beside.get(Events) as unknown as { outbox: { client: pg.Client } };
    // The session has made its general plan, and keeps it.
    const { name } = await eventually(
      async () =>
        (
          await outbox.client.query<{ name: string }>(
            `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%event_position%LATERAL unnest%' AND generic_plans > 0`,
          )
        ).rows[0],
    );
    await publish(3_000);
    const {
      rows: [last],
    } = await app.pool.query<{ position: bigint }>('SELECT max(position) AS position FROM event_position');
    const {
      rows: [plan],
    } = await outbox.client.query<Record<'QUERY PLAN', unknown>>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE "${name}" (${BigInt(last?.position ?? 0) - 1n})`,
    );
    const [{ Plan: root }] = plan?.['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    // One event: two index look-ups, of three pages each. The whole table has more than forty pages.
    expect(root['Shared Hit Blocks']).toBeLessThan(20);
    await beside.close();
  });
});
