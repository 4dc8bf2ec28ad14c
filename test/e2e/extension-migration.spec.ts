import { Module } from '@nestjs/common';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { openDataSource } from '../../src/database/index.js';
import type { Extension } from '../../src/index.js';
import { Log } from '../../src/logging/index.js';
import { createTestApp, TestUser, type TestApp } from '../../src/testing/index.js';
import { asAdministrator, createTestDatabase, CURRENT_SCHEMA, type TestDatabase } from '../support/database.js';

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
/** The whole schema as catalogues show it, beyond what the application compares. */
const SHAPE = `
  SELECT table_schema || '.' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') AS line
    FROM information_schema.columns WHERE table_schema IN ('public', 'simulator')
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'simulator'::regnamespace)
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT conrelid::regclass::text || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid >= 16384
  UNION ALL SELECT relname || ' ' || relkind::text || coalesce(relacl::text, '') FROM pg_class WHERE oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace
  ORDER BY 1`;

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

  const start = (...extensions: Extension[]): Promise<TestApp> => createTestApp({ connection: database.connection, extensions });
  const started = async (...extensions: Extension[]): Promise<void> => (await start(...extensions)).close();
  /** Migrates the database without the application. @returns the refusal */
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
  const shape = async (): Promise<string[]> => (await pool.query<{ line: string }>(SHAPE)).rows.map(({ line }) => line);
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

  it.each<[what: string, sql: string, sentence: string]>([
    ['add a column', 'ALTER TABLE wallet ADD COLUMN colour text', 'table "wallet" (column colour)'],
    ['change a column', 'ALTER TABLE app_user ALTER COLUMN language DROP NOT NULL', 'table "app_user" (column language)'],
    ['drop a table', 'DROP TABLE api_key_refusal', 'table "api_key_refusal"'],
    ['rename a table', 'ALTER TABLE payment RENAME TO gift_payment', 'table "payment"'],
    ['empty a table', 'TRUNCATE api_key_refusal', 'table "api_key_refusal"'],
    ['write a row', `INSERT INTO event (topics, keys, payloads) VALUES ('{x}', '{x}', '{}')`, 'table "event" (rows)'],
    ['change rows', 'UPDATE ledger_account SET posted = posted', 'table "ledger_account" (rows)'],
    ['call a function that writes', `SELECT event_add(ARRAY['x'], ARRAY['x'], ARRAY['{}'::jsonb])`, 'table "event" (rows)'],
    ['drop a constraint', 'ALTER TABLE wallet DROP CONSTRAINT wallet_currency_known', 'table "wallet" (constraint wallet_currency_known)'],
    ['take a table', 'ALTER TABLE api_key_refusal SET SCHEMA acme', 'table "api_key_refusal"'],
    ['add an index', 'CREATE UNIQUE INDEX acme_index ON app_user (language)', 'table "app_user" (index acme_index)'],
    ['drop an index', 'DROP INDEX transaction_of_hash', 'table "transaction" (index transaction_of_hash)'],
    [
      'add a trigger',
      `CREATE FUNCTION acme_no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN null; END';
       CREATE TRIGGER acme_no BEFORE INSERT ON wallet FOR EACH ROW EXECUTE FUNCTION acme_no()`,
      'table "wallet" (trigger acme_no)',
    ],
    ['switch a trigger off', 'ALTER TABLE app_user DISABLE TRIGGER app_user_account', 'table "app_user" (trigger app_user_account)'],
    ['add a rule', 'CREATE RULE acme_no AS ON DELETE TO payment DO INSTEAD NOTHING', 'table "payment" (rule acme_no)'],
    ['add a policy', 'CREATE POLICY acme_no ON wallet USING (false)', 'table "wallet" (policy acme_no)'],
    ['switch row security on', 'ALTER TABLE wallet ENABLE ROW LEVEL SECURITY', 'table "wallet"'],
    ['inherit', 'CREATE TABLE acme_wallet () INHERITS (wallet)', 'table "wallet"'],
    [
      'replace a function',
      `CREATE OR REPLACE FUNCTION public.ledger_must_raise(p_sqlstate text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false'`,
      'function "ledger_must_raise" (p_sqlstate text)',
    ],
    ['add a function elsewhere', `CREATE FUNCTION public.gift() RETURNS int LANGUAGE sql AS 'SELECT 1'`, 'function "gift"'],
    [
      'overload a function',
      `CREATE FUNCTION public.event_add(int) RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      'function "event_add" (integer)',
    ],
    [
      'replace a view',
      "CREATE OR REPLACE VIEW public.ledger_audit AS SELECT 'nothing'::text AS what, 0::bigint AS n",
      'view "ledger_audit" (rule _RETURN)',
    ],
    ['make a table elsewhere', 'CREATE TABLE public.gift (id int)', 'table "gift"'],
    ['make a type elsewhere', `CREATE TYPE public.gift AS ENUM ('a')`, 'type "gift"'],
    ['make a sequence elsewhere', 'CREATE SEQUENCE public.gift', 'sequence "gift"'],
    ['make a schema', 'CREATE SCHEMA gift', 'schema "gift"'],
    ['change the simulator', 'ALTER TABLE simulator.invoice ADD COLUMN acme text', 'table "simulator.invoice" (column acme)'],
    ['settle down in the simulator', 'CREATE TABLE simulator.acme_gift (id int)', 'table "simulator.acme_gift"'],
    [
      'listen to every DDL',
      `CREATE FUNCTION acme_ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER acme_ddl ON ddl_command_end EXECUTE FUNCTION acme_ddl()`,
      'event trigger "acme_ddl"',
    ],
    ['install an extension', 'CREATE EXTENSION pgcrypto SCHEMA public', 'installed extension "pgcrypto"'],
    ['give away what is ours', 'GRANT DELETE ON payment TO PUBLIC', 'table "payment"'],
    ['open a schema', 'GRANT CREATE ON SCHEMA public TO PUBLIC', 'schema "public"'],
    ['set defaults of the database', `ALTER ROLE CURRENT_USER SET statement_timeout = '1h'`, 'setting "postgres"'],
    ['set privileges of later tables', 'ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC', 'default privilege "postgres r"'],
    ['publish tables', 'CREATE PUBLICATION acme_all FOR ALL TABLES', 'publication "acme_all"'],
    ['convert types', 'CREATE CAST (bytea AS uuid) WITH INOUT', 'cast "bytea to uuid"'],
    [
      'write at the commit',
      `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS 'BEGIN UPDATE ledger_account SET posted = posted; RETURN new; END';
       CREATE CONSTRAINT TRIGGER late AFTER INSERT ON gift DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late(); INSERT INTO gift VALUES (gen_random_uuid())`,
      'table "ledger_account" (rows)',
    ],
  ])('may not %s, and are rolled back', async (_what, sql, touched) => {
    const before = await shape();
    expect(await refusal(planted([OWN, sql]))).toBe(
      `Extension acme cannot be migrated: its migrations may not touch the ${touched}; its own are in the schema "acme"`,
    );
    expect(await shape()).toEqual(before);
  });

  it.each([
    ['itself', 'CREATE TABLE hold (id uuid CONSTRAINT hold_fk REFERENCES session (id))', 'session'],
    [
      'through a table that goes with them',
      `CREATE TABLE part (id uuid PRIMARY KEY, session_id uuid REFERENCES session (id) ON DELETE CASCADE);
       CREATE TABLE hold (part_id uuid CONSTRAINT hold_fk REFERENCES part (id))`,
      'part',
    ],
    [
      'by a column that cannot be null',
      'CREATE TABLE hold (id uuid NOT NULL CONSTRAINT hold_fk REFERENCES session (id) ON DELETE SET NULL)',
      'session',
    ],
  ])('may not prevent the core from deleting its rows: %s', async (_what, sql, held) => {
    expect(await refusal(planted([sql]))).toBe(
      `Extension acme cannot be migrated: the foreign key "hold_fk" of "hold" would keep rows of "${held}" from being deleted; say ON DELETE CASCADE or SET NULL`,
    );
    expect(await tables()).toEqual([]);
  });

  it('have nothing to do with what another database of the server is given meanwhile', async () => {
    const other = await createTestDatabase();
    const set: Step = () =>
      asAdministrator(
        async (client) => void (await client.query(`ALTER DATABASE ${String(other.connection.database)} SET statement_timeout = '1h'`)),
      );
    try {
      expect(await refusal(planted([OWN, set]))).toBe('it started');
    } finally {
      await other.drop();
    }
  });

  it('may not make functions that look for their tables elsewhere when they are called', async () => {
    const sql = `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO event VALUES (new.id); RETURN new; END'`;
    expect(await refusal(planted([OWN, 'CREATE TABLE event (id uuid)', sql]))).toBe(
      'Extension acme cannot be migrated: its function note() would look for its tables in other schemas when it is called; add SET search_path FROM CURRENT',
    );
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
    ['fail', 'CREATE TABLE x (id nothing)', 'type "nothing" does not exist'],
    ['fail after some work', 'INSERT INTO gift VALUES (1)', 'column "id" is of type uuid but expression is of type integer'],
    [
      'cannot run in a transaction',
      'CREATE INDEX CONCURRENTLY ON gift (id)',
      'CREATE INDEX CONCURRENTLY cannot run inside a transaction block',
    ],
    ['throw', () => Promise.reject(new Error('no colours left')), 'no colours left'],
  ])('that %s are rolled back together', async (_what, step, reason) => {
    const before = await shape();
    expect(await refusal(planted([OWN, step]))).toMatch(
      new RegExp(`^Extension acme cannot be migrated: Planted\\d{13}: ${reason}(, in line 1 of its statement: .*)?$`),
    );
    expect(await shape()).toEqual(before);
  });

  it('that end their transaction are detected', async () => {
    const said = await refusal(planted([OWN, (runner) => runner.commitTransaction().then(() => runner.startTransaction())]));
    expect(said).toBe(
      'Extension acme cannot be migrated: its migrations ended the transaction they run in, and what they had done by then stays',
    );
  });

  it('are refused where another schema has the extension’s name', async () => {
    await pool.query('CREATE SCHEMA acme_old CREATE TABLE gift (id int)');
    const said =
      'Extension acme-old cannot be migrated: there is a schema "acme_old" already that is not its own; an extension cannot be called acme-old here';
    expect(await refusal(planted([OWN], 'acme-old'))).toBe(said);
    expect(await refusal(planted([], 'acme-old'))).toBe('it started');
  });

  it('leave a server that starts and works without the extension', async () => {
    await refusal(planted([OWN, 'DROP TABLE api_key CASCADE']));
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
