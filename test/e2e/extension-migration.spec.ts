import { Module } from '@nestjs/common';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { openDataSource } from '../../src/platform/database/index.js';
import type { Extension } from '../../src/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { createTestApp, TestUser, type TestApp } from '../../src/testing/index.js';
import { createTestDatabase, CURRENT_SCHEMA, type TestDatabase } from '../support/database.js';

@Module({})
class EmptyModule {}

type Step = (runner: QueryRunner) => Promise<unknown>;
let made = 0;

/** An extension with one migration for each step. */
function planted(steps: readonly (string | Step)[], name = 'acme'): Extension {
  const migrations = steps.map((step) => {
    const className = `Planted${1_764_200_000_000 + ++made}`;
    const up = (runner: QueryRunner): Promise<unknown> => (typeof step === 'string' ? runner.query(step) : step(runner));
    return {
      [className]: class implements MigrationInterface {
        readonly name = className;
        up = async (runner: QueryRunner): Promise<void> => void (await up(runner));
        down = (): Promise<void> => Promise.resolve();
      },
    }[className] as new () => MigrationInterface;
  });
  return { name, module: EmptyModule, migrations };
}

const OWN = 'CREATE TABLE gift (id uuid PRIMARY KEY, user_id uuid REFERENCES app_user (id) ON DELETE CASCADE)';
describe('the migrations of an extension', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ ...database.connection, max: 1 });
    pool.on('error', () => undefined);
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const start = (): Promise<TestApp> => createTestApp({ connection: database.connection });
  /** Migrates the database without the application, as every start does first. @returns the refusal */
  const refusal = async (extension: Extension, connection: pg.ClientConfig = database.connection): Promise<string> => {
    const { name, migrations = [] } = extension;
    const options = {
      connection,
      poolSize: 2,
      entities: [],
      ...CURRENT_SCHEMA,
      extensions: [{ name, migrations }],
    };
    return openDataSource(options, new Log('test')).then(
      async (dataSource) => (await dataSource.destroy(), 'it started'),
      (error: Error) => error.message,
    );
  };
  const started = async (extension: Extension): Promise<void> => expect(await refusal(extension)).toBe('it started');
  /** The tables in the extension's schema. */
  const tables = async (): Promise<string[]> =>
    (await pool.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'acme' ORDER BY 1`)).rows.map(
      ({ name }) => name,
    );

  it('run once, in order, with their own table of executed migrations', async () => {
    const extension = planted([OWN, 'ALTER TABLE gift ADD COLUMN colour text', `INSERT INTO gift VALUES (gen_random_uuid(), NULL, 'red')`]);
    await started(extension);
    await started(extension);
    expect(await tables()).toEqual(['gift', 'migrations']);
    expect((await pool.query('SELECT colour FROM acme.gift')).rows).toEqual([{ colour: 'red' }]);
    expect((await pool.query('SELECT name FROM acme.migrations ORDER BY id')).rows).toHaveLength(3);
    expect((await pool.query(`SELECT name FROM migrations WHERE name LIKE 'Planted%'`)).rows).toEqual([]);
  });

  it('run once when several processes start at once', async () => {
    const extension = planted([OWN]);
    await Promise.all([started(extension), started(extension), started(extension)]);
    expect((await pool.query('SELECT name FROM acme.migrations')).rows).toHaveLength(1);
  });

  it('continue where they were when the extension grows', async () => {
    const extension = planted([OWN]);
    await started(extension);
    await started({ ...extension, migrations: [...(extension.migrations ?? []), ...(planted(['DROP TABLE gift']).migrations ?? [])] });
    expect(await tables()).toEqual(['migrations']);
  });

  it('of a newer version are logged, and an older version does not start', async () => {
    const older = planted([OWN]);
    const newer = {
      ...older,
      migrations: [...(older.migrations ?? []), ...(planted(['CREATE TABLE box (id int)']).migrations ?? [])],
    };
    await started(newer);
    expect(await refusal(newer)).toBe('it started');
    expect(await refusal(older)).toMatch(/migrated by another version of extension acme \(Planted\d+\).*SLUICE_ALLOW_NEWER_SCHEMA=1/);
  });

  it('can create any kind of object in the extension’s schema, under any name', async () => {
    await started(
      planted([
        OWN,
        `CREATE TYPE colour AS ENUM ('red'); CREATE DOMAIN word AS text CHECK (value <> ''); CREATE SEQUENCE number;
         CREATE TYPE pair AS (one int, two colour)`,
        `CREATE FUNCTION event_add() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS 'BEGIN RETURN new; END';
         CREATE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1;
         CREATE TRIGGER whatever BEFORE INSERT ON gift FOR EACH ROW EXECUTE FUNCTION event_add();
         CREATE INDEX ON gift (user_id); CREATE VIEW gifts AS SELECT * FROM gift JOIN app_user USING (id)`,
        `ALTER TABLE gift ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY, ADD COLUMN words word[]`,
        // The names of the core are free here: its own tables stay what they are.
        `CREATE TABLE wallet (id int); CREATE TABLE ledger_account (id int)`,
      ]),
    );
    expect(await tables()).toEqual(['gift', 'ledger_account', 'migrations', 'wallet']);
  });

  it('are refused under the name of the database’s role, which would find their schema first', async () => {
    const role = 'acme_role';
    await pool.query(`CREATE ROLE ${role} SUPERUSER LOGIN`);
    try {
      const connection = { ...database.connection, user: role };
      expect(await refusal(planted([OWN], 'acme-role'), connection)).toBe(
        'Extension acme-role cannot be migrated: the database\'s role is called "acme_role" too and would find this schema first; use another role, or rename the extension',
      );
      expect((await pool.query(`SELECT FROM pg_namespace WHERE nspname = '${role}'`)).rowCount).toBe(0);
      expect(await refusal(planted([OWN]), connection)).toBe('it started');
    } finally {
      await pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }
  });

  it('are refused in the schema of Sluice’s own tables', async () => {
    await pool.query(
      'ALTER SCHEMA public RENAME TO core; ALTER DATABASE ' + String(database.connection.database) + ' SET search_path = core',
    );
    expect(await refusal(planted([OWN], 'core'))).toBe(
      'Extension core cannot be migrated: the tables of Sluice are in the schema "core"; an extension cannot be called core here',
    );
  });

  it.each<[what: string, step: string | Step, reason: string]>([
    ['fail after some work', 'INSERT INTO gift VALUES (1)', 'column "id" is of type uuid but expression is of type integer'],
    ['throw', () => Promise.reject(new Error('no colours left')), 'no colours left'],
  ])('that %s are rolled back together, and named', async (_what, step, reason) => {
    expect(await refusal(planted([OWN, step]))).toMatch(new RegExp(`^Extension acme cannot be migrated: Planted\\d{13}: ${reason}$`));
    expect(await tables()).toEqual([]);
  });

  it.each<[how: string, step: string | Step]>([
    ['COMMIT', 'COMMIT'],
    ['COMMIT; BEGIN', 'CREATE TABLE box (id int); COMMIT; BEGIN'],
    ['ROLLBACK', 'ROLLBACK'],
    ['the query runner', (runner) => runner.commitTransaction()],
  ])('that end their transaction by %s are refused, at each start', async (_how, step) => {
    const extension = planted([OWN, step]);
    const said = /^Extension acme cannot be migrated: Planted\d{13}: it must not end the transaction \(COMMIT, ROLLBACK\)$/;
    expect(await refusal(extension)).toMatch(said);
    const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    expect((await pool.query(open)).rowCount).toBe(0);
    await pool.query('DROP TABLE IF EXISTS acme.box');
    expect(await refusal(extension)).toMatch(said);
  });

  it('may have savepoints', async () => {
    const nested: Step = async (runner) => {
      await runner.startTransaction();
      await runner.query('CREATE TABLE box (id int)');
      await runner.commitTransaction();
    };
    await started(planted([OWN, nested, 'SAVEPOINT one; CREATE TABLE bag (id int); ROLLBACK TO one']));
    expect(await tables()).toEqual(['box', 'gift', 'migrations']);
  });

  it('are refused where another schema has the extension’s name', async () => {
    await pool.query('CREATE SCHEMA acme_old CREATE TABLE gift (id int)');
    const said =
      'Extension acme-old cannot be migrated: there is a schema "acme_old" already that is not its own; an extension cannot be called acme-old here';
    expect(await refusal(planted([OWN], 'acme-old'))).toBe(said);
    expect(await refusal(planted([], 'acme-old'))).toBe('it started');
  });

  it('leave a server that starts and works without the extension', async () => {
    await refusal(planted([OWN, 'CREATE TABLE x (id nothing)']));
    await started(planted([OWN]));
    const app = await start();
    try {
      const [alice, bob] = [await TestUser.create(app), await TestUser.create(app, { sats: 10 })];
      await bob.pay(await alice.invoice(10));
      expect([await alice.sats(), await app.audit()]).toEqual([10, []]);
      await pool.query('DELETE FROM session; SELECT count(*) FROM acme.gift');
    } finally {
      await app.close();
    }
  });
});
