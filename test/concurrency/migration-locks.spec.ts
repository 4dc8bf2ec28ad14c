import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Dealer1795576889546 } from '../../migrations/1795576889546-dealer.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { openDataSource, type DatabaseOptions } from '../../src/platform/database/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp } from '../support/app.js';
import { createTestDatabase, CURRENT_SCHEMA, type TestDatabase } from '../support/database.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%ADD planted%'`;

class Planted1764999999000 implements MigrationInterface {
  readonly name = 'Planted1764999999000';
  up = async (runner: QueryRunner): Promise<void> => {
    await runner.query('CREATE TABLE planted (id int)');
    await runner.query('ALTER TABLE wallet ADD planted int');
  };
  down = (): Promise<void> => Promise.resolve();
}

let database: TestDatabase;
let pool: pg.Pool;
let said: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.connection, max: 4 });
  pool.on('error', () => undefined);
  said = [];
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const note = ({ message }: { readonly message: string }): void => void said.push(message);
const open = (migrations = MIGRATIONS, allowNewerSchema = false, extensions: DatabaseOptions['extensions'] = []): Promise<void> =>
  openDataSource(
    { connection: database.connection, poolSize: 2, entities: [], ...CURRENT_SCHEMA, migrations, allowNewerSchema, extensions },
    new Log('test', { log: note, warn: note, error: note }),
  ).then((dataSource) => dataSource.destroy());
const tables = async (): Promise<number | null> => (await pool.query(`SELECT FROM pg_class WHERE relname = 'planted'`)).rowCount;

describe('a migration that waits behind an open transaction', () => {
  it('lets later sessions pass, rolls back, and retries until it gets its lock', async () => {
    const reader = await pool.connect();
    await reader.query('BEGIN; SELECT FROM wallet');
    const migrating = open([...MIGRATIONS, Planted1764999999000]);
    try {
      await eventually(async () => (await pool.query(WAITING)).rowCount);
      // This query waits behind the ALTER TABLE, and not behind the first reader.
      await pool.query('SELECT FROM wallet');
      await eventually(() => said.some((line) => line.includes('Migration of the database waits for a lock')));
      expect(await tables()).toBe(0);
    } finally {
      await reader.query('COMMIT');
      reader.release();
    }
    await migrating;
    expect(await tables()).toBe(1);
    expect((await pool.query(`SELECT FROM migrations WHERE name LIKE 'Planted%'`)).rowCount).toBe(1);
  });
});

describe('an extension’s migration that waits behind an open transaction', () => {
  it('is tried again until it gets its lock', async () => {
    const reader = await pool.connect();
    await reader.query('BEGIN; LOCK TABLE app_user');
    const up = (runner: QueryRunner): Promise<void> =>
      runner.query('CREATE TABLE gift (user_id uuid REFERENCES app_user (id) ON DELETE CASCADE)') as Promise<void>;
    const Gift = class Gift1764999999000 implements MigrationInterface {
      readonly name = 'Gift1764999999000';
      up = up;
      down = (): Promise<void> => Promise.resolve();
    };
    const migrating = open(MIGRATIONS, false, [{ name: 'acme', migrations: [Gift] }]);
    try {
      await eventually(() => said.some((line) => line.includes('Migration of extension acme waits for a lock')));
    } finally {
      await reader.query('ROLLBACK');
      reader.release();
    }
    await migrating;
    expect((await pool.query(`SELECT FROM pg_tables WHERE schemaname = 'acme' AND tablename = 'gift'`)).rowCount).toBe(1);
  });
});

/** A migration that locks one table, waits until a transaction waits for that one, and then wants what the transaction holds. */
function crossing(isMet: () => Promise<unknown>): new () => MigrationInterface {
  return class Crossing1764999999000 implements MigrationInterface {
    readonly name = 'Crossing1764999999000';
    up = async (runner: QueryRunner): Promise<void> => {
      await runner.query('CREATE TABLE planted (id int)');
      await runner.query('LOCK TABLE payment IN ACCESS EXCLUSIVE MODE');
      await isMet();
      await runner.query('LOCK TABLE invoice IN ACCESS EXCLUSIVE MODE');
    };
    down = (): Promise<void> => Promise.resolve();
  };
}

describe('a migration that has deadlocked with a payment', () => {
  it.each([
    ['of the core', (Crossing: new () => MigrationInterface) => open([...MIGRATIONS, Crossing])],
    ['of an extension', (Crossing: new () => MigrationInterface) => open(MIGRATIONS, false, [{ name: 'acme', migrations: [Crossing] }])],
  ])('is rolled back and tried again: %s', async (_whose, migrate) => {
    const payer = await pool.connect();
    // Of the two that wait for each other the migration looks for a deadlock, and is refused.
    await payer.query(`BEGIN; SET LOCAL deadlock_timeout = '10min'; SELECT FROM invoice`);
    let [attempts, paid] = [0, Promise.resolve<unknown>(undefined)];
    const Crossing = crossing(async () => {
      attempts++;
      if (attempts > 1) return;
      paid = payer.query('SELECT FROM payment');
      await eventually(
        async () =>
          (await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = 'SELECT FROM payment'`)).rowCount,
      );
    });
    const migrating = migrate(Crossing).then(
      () => undefined,
      (error: Error) => error,
    );
    await eventually(() => attempts > 0);
    await eventually(() => paid);
    await paid;
    await payer.query('COMMIT');
    payer.release();
    expect(await migrating).toBeUndefined();
    expect(attempts).toBeGreaterThan(1);
    expect(await tables()).toBe(1);
    expect(said.filter((line) => /^Migration of .+ waits for a lock of another session/.test(line))).not.toEqual([]);
  });
});

describe('the dealer’s migration of 0.3.0', () => {
  it('waits for the invoices of a payment before it locks payments', async () => {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name === Dealer1795576889546.name),
    );
    const old = await createTestDatabase({ migrated: false });
    const client = new pg.Pool({ ...old.connection, max: 2 });
    const openOld = (migrations: typeof MIGRATIONS): Promise<void> =>
      openDataSource(
        { connection: old.connection, poolSize: 2, entities: [], migrations, functions: [], release: CURRENT_SCHEMA.release },
        new Log('test', { log: note, warn: note, error: note }),
      ).then((dataSource) => dataSource.destroy());
    try {
      await openOld(before);
      const payer = await client.connect();
      await payer.query('BEGIN; SELECT FROM invoice; SET LOCAL lock_timeout = 200');
      let isRefused = false;
      const migrating = openOld([...before, MIGRATIONS[before.length] as (typeof MIGRATIONS)[number]]);
      await eventually(
        async () => (await client.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'invoice'::regclass`)).rowCount,
      );
      await payer.query('SELECT FROM payment').catch(() => (isRefused = true));
      await payer.query('COMMIT');
      payer.release();
      await migrating;
      expect(isRefused).toBe(false);
    } finally {
      await client.end();
      await old.drop();
    }
  });
});

describe('a process that is older than the schema', () => {
  it('does not start without the explicit variable', async () => {
    await open([...MIGRATIONS, Planted1764999999000]);
    await expect(open()).rejects.toThrow(/migrated by another version of Sluice \(Planted1764999999000\).*SLUICE_ALLOW_NEWER_SCHEMA=1/);
    await expect(createTestApp({ database: { ...database, drop: async () => undefined } })).rejects.toThrow('SLUICE_ALLOW_NEWER_SCHEMA');
    await open(MIGRATIONS, true);
    const told = await createTestApp({ database: { ...database, drop: async () => undefined }, env: { SLUICE_ALLOW_NEWER_SCHEMA: '1' } });
    expect(await told.audit()).toEqual([]);
    await told.close();
  });
});
