import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
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
