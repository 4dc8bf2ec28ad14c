import type { Type } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  getMetadataArgsStorage,
  MigrationExecutor,
  PrimaryColumn,
  type Migration,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { LOCK_ORDER, MIGRATIONS } from '../../migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Those of the application. A worker also keeps what the files before this one have loaded. */
let entities: Type[];
beforeAll(async () => {
  const { length } = getMetadataArgsStorage().tables;
  await import('../../src/app/app.module.js');
  entities = getMetadataArgsStorage()
    .tables.slice(length)
    .map(({ target }) => target as Type);
  expect(entities.length).toBeGreaterThan(20);
});

/** Every kind of object that a migration can create, each with its definition. */
const OBJECTS = `
  WITH ours AS (SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')
  SELECT 'schema ' || nspname AS object FROM ours WHERE nspname <> 'public'
  UNION ALL SELECT format('%s %s.%s %s', c.relkind, nspname, c.relname, c.reloptions) FROM pg_class c JOIN ours ON ours.oid = c.relnamespace
  UNION ALL SELECT format('column %s.%s %s %s %s %s', nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN ours ON ours.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) FROM pg_constraint c JOIN ours ON ours.oid = c.connamespace
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN ours ON ours.oid = c.relnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN ours ON ours.oid = p.pronamespace WHERE prokind IN ('f', 'p')
  UNION ALL SELECT pg_get_viewdef(c.oid) FROM pg_class c JOIN ours ON ours.oid = c.relnamespace WHERE c.relkind = 'v'
  UNION ALL SELECT format('type %s.%s', nspname, t.typname) FROM pg_type t JOIN ours ON ours.oid = t.typnamespace WHERE t.typtype IN ('d', 'e', 'c')
  ORDER BY 1`;

const objectsIn = async (dataSource: DataSource): Promise<string[]> => {
  const rows = await dataSource.query<{ object: string }[]>(OBJECTS);
  return rows.map(({ object }) => object);
};

/** TypeORM's schema builder sends several queries at once on one connection: pg warns of that, and its next major version refuses it. */
function oneByOne(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...asked: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  runner.query = ((...asked: unknown[]) => (last = last.catch(() => undefined).then(() => query(...asked)))) as QueryRunner['query'];
  return runner;
}

/** Migrations alone state them. */
const IS_CONSTRAINT = / (?:ADD|DROP) CONSTRAINT |^(?:CREATE|DROP) (?:UNIQUE )?INDEX /;

/** The statements that `synchronize` would run for tables and columns: what the migrations lack or have in excess. */
const drift = async (dataSource: DataSource): Promise<string[]> => {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => oneByOne(create(mode));
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  dataSource.createQueryRunner = create;
  return upQueries.map(({ query }) => query).filter((query) => !IS_CONSTRAINT.test(query));
};

/** Runs one migration up, in a transaction of its own as the application does it. */
async function step(dataSource: DataSource, migration: Migration): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await new MigrationExecutor(dataSource, runner).executeMigration(migration);
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}

/** The tables whose writers or readers a migration keeps waiting: the locks that it holds at its end. Those that it creates are not visible yet. */
const LOCKED = `SELECT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relkind = 'r' AND c.relname <> 'migrations'
  WHERE l.pid = pg_backend_pid() AND c.relnamespace IN ('public'::regnamespace, to_regnamespace('simulator'), to_regnamespace('simulated_chain')) AND c.oid = ANY ($1)
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') GROUP BY c.relname`;
const TABLES = `SELECT array_agg(oid) AS oids FROM pg_class WHERE relkind = 'r'`;

/** Runs all up. @returns the migrations that lock several tables without having begun with `LOCK TABLE` in `LOCK_ORDER`, and those tables */
async function lockFaults(dataSource: DataSource): Promise<object[]> {
  await dataSource.showMigrations();
  const faults: object[] = [];
  for (const migration of await new MigrationExecutor(dataSource).getPendingMigrations()) {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    const [{ oids }] = (await runner.query(TABLES)) as [{ oids: number[] }];
    const query = runner.query.bind(runner) as (text: string, values?: unknown[]) => Promise<unknown>;
    let first: string | undefined;
    runner.query = (text: string, values?: unknown[]) => query((first ??= text) && text, values) as Promise<never>;
    await migration.instance?.up(runner);
    const locked = ((await query(LOCKED, [oids])) as { name: string }[]).map(({ name }) => name);
    const inOrder = `LOCK TABLE ${LOCK_ORDER.filter((table) => locked.includes(table)).join(', ')} IN `;
    const areKnown = locked.every((table) => LOCK_ORDER.includes(table));
    if (locked.length > 1 && !(areKnown && first?.trim().startsWith(inOrder))) faults.push({ name: migration.name, locked });
    await runner.commitTransaction();
    await runner.release();
  }
  return faults;
}

/** Runs all up, all down, all up; each step must end where its counterpart began. @returns the steps that did not, and how they differ */
async function faultsOfSteps(dataSource: DataSource): Promise<object[]> {
  await dataSource.showMigrations(); // creates TypeORM's own register
  const migrations = await new MigrationExecutor(dataSource).getPendingMigrations();
  const states = [await objectsIn(dataSource)];
  const faults: object[] = [];
  const compare = (name: string, found: string[], wanted: string[] = []): void => {
    const surplus = found.filter((object) => !wanted.includes(object));
    const missing = wanted.filter((object) => !found.includes(object));
    if (surplus.length + missing.length > 0) faults.push({ name, surplus, missing });
  };
  for (const migration of migrations) {
    await step(dataSource, migration);
    states.push(await objectsIn(dataSource));
  }
  for (const [index, { name }] of [...migrations.entries()].reverse()) {
    await dataSource.undoLastMigration();
    compare(`${name} down`, await objectsIn(dataSource), states[index]);
  }
  if (faults.length > 0) return faults;
  await dataSource.runMigrations();
  compare('up again', await objectsIn(dataSource), states.at(-1));
  return faults;
}

describe('the migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  const open = async (entities: readonly Type[], migrations: readonly Type<MigrationInterface>[]): Promise<void> => {
    dataSource = new DataSource({
      type: 'postgres',
      entities: [...entities],
      migrations: [...migrations],
      migrationsTransactionMode: 'each',
      extra: database.connection,
    });
    await dataSource.initialize();
  };

  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('create exactly the columns that the entities describe', async () => {
    await open(entities, MIGRATIONS);
    await dataSource.runMigrations();
    expect(await drift(dataSource)).toEqual([]);
  });

  it('are reported as missing for an entity whose table or column none of them creates', async () => {
    @Entity('planted')
    class Planted {
      @PrimaryColumn('uuid')
      readonly id!: string;
    }
    @Entity('half_planted')
    class HalfPlanted {
      @PrimaryColumn('uuid')
      readonly id!: string;

      @Column('text')
      readonly label!: string;
    }
    await open([...entities, Planted, HalfPlanted], [...MIGRATIONS, planted('CREATE TABLE half_planted (id uuid PRIMARY KEY)')]);
    await dataSource.runMigrations();
    const missing = await drift(dataSource);
    expect(missing).toContainEqual(expect.stringContaining('CREATE TABLE "planted"'));
    expect(missing).toContainEqual(expect.stringContaining('ALTER TABLE "half_planted" ADD "label"'));
  });

  it('are reported as superfluous when no entity describes what they create', async () => {
    await open(entities, [...MIGRATIONS, planted('ALTER TABLE session ADD planted int')]);
    await dataSource.runMigrations();
    expect(await drift(dataSource)).toEqual([expect.stringContaining('DROP COLUMN "planted"')]);
  });

  it('can each be reverted without a trace, and run again', async () => {
    await open(entities, MIGRATIONS);
    expect(await faultsOfSteps(dataSource)).toEqual([]);
    expect((await objectsIn(dataSource)).length).toBeGreaterThan(100);
  });

  it('lock several tables only at their beginning, in the order of the functions', async () => {
    await open([], MIGRATIONS);
    expect(await lockFaults(dataSource)).toEqual([]);
  });

  it.each([
    ['one after the other', 'ALTER TABLE payment ADD planted int; ALTER TABLE invoice ADD planted int', ['invoice', 'payment']],
    ['in another order', 'LOCK TABLE payment, invoice IN ACCESS EXCLUSIVE MODE', ['invoice', 'payment']],
    ['partly', 'LOCK TABLE invoice IN SHARE MODE; CREATE INDEX planted ON payment (id)', ['invoice', 'payment']],
    ['by a foreign key', 'CREATE TABLE planted (a uuid REFERENCES wallet (id), b uuid REFERENCES app_user (id))', ['app_user', 'wallet']],
    ['that have no place in the order', 'LOCK TABLE session, invoice IN SHARE MODE', ['invoice', 'session']],
  ])('are reported when they lock tables %s', async (_how, statement, tables) => {
    await open([], [...MIGRATIONS, planted(statement)]);
    expect(await lockFaults(dataSource)).toEqual([{ name: 'Planted1764999999000', locked: tables }]);
  });

  it.each([
    ['a table', 'CREATE TABLE planted (id int)'],
    ['a function', 'CREATE FUNCTION planted() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
    ['a type', "CREATE TYPE planted AS ENUM ('a')"],
    ['a schema', 'CREATE SCHEMA planted'],
    ['a view', 'CREATE VIEW planted AS SELECT 1 AS one'],
    ['a trigger', 'CREATE TRIGGER planted BEFORE UPDATE ON session FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()'],
    ['a column', 'ALTER TABLE session ADD planted int'],
    ['a default', "ALTER TABLE session ALTER user_agent SET DEFAULT 'planted'"],
    ['a constraint', 'ALTER TABLE session ADD CONSTRAINT planted CHECK (id IS NOT NULL)'],
    ['an index', 'CREATE INDEX planted ON session (created_at)'],
  ])('are reported when they leave %s behind', async (_what, statement) => {
    const { User1764000004000: Needed } = await import('../../migrations/1764000004000-user.js');
    const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(Needed) + 1);
    await open([], [...before, planted(statement)]);
    const [first] = await faultsOfSteps(dataSource);
    expect(first).toMatchObject({ name: 'Planted1764999999000 down' });
    expect(JSON.stringify(first)).toMatch(/surplus.*planted/);
  });
});

it('are listed in the order of their timestamps, which are unique', () => {
  const times = MIGRATIONS.map(({ name }) => Number(/\d{13}$/.exec(name)?.[0]));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

/** A migration whose `down` undoes nothing. */
function planted(statement: string): Type<MigrationInterface> {
  return class Planted1764999999000 implements MigrationInterface {
    readonly name = 'Planted1764999999000';
    readonly up = async (runner: QueryRunner): Promise<void> => void (await runner.query(statement));
    readonly down = (): Promise<void> => Promise.resolve();
  };
}
