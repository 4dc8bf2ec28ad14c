import type { Type } from '@nestjs/common';
import { DataSource, MigrationExecutor, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA_SNAPSHOT } from './schema-snapshot.js';

export interface ExtensionMigrations {
  readonly name: string;
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** The PostgreSQL schema of an extension: its tables, functions and types. */
export const extensionSchema = (name: string): string => name.replaceAll('-', '_');

/** One fact about the database outside the extension's schema. `name` is its object. */
interface SchemaFact {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly content: string;
}
type SchemaFacts = ReadonlyMap<string, SchemaFact>;

const TABLE = 'migrations';
/** `core`: where Sluice's own tables are. */
const FOUND = `
  SELECT current_schema() AS core, to_regnamespace(quote_ident($1)) IS NOT NULL AS "exists",
         to_regclass(format('%I.${TABLE}', $1)) IS NOT NULL AS "isOwn"`;
/** New objects are made in the schema of the extension; a foreign key still names a table of the core without its schema. */
const ENTER = `SELECT set_config('search_path', concat_ws(', ', quote_ident($1), quote_ident($2)), true)`;
const LEAVE = `SELECT set_config('search_path', '', true)`;
const TRANSACTION = 'SELECT pg_current_xact_id()::text AS id';
/** Constraint triggers run now: at the commit they could still write to the core. */
const FIRE = 'SET CONSTRAINTS ALL IMMEDIATE';
const CORE = 'SELECT current_schema() AS core';
/** Bodies that PostgreSQL resolves when they are called, and then by the path of the caller, which begins with the core. */
const LATE_BOUND = `
  SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
   WHERE p.pronamespace = to_regnamespace(quote_ident($1)) AND l.lanname IN ('sql', 'plpgsql') AND p.prosqlbody IS NULL
     AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
   LIMIT 1`;
/** Foreign keys that would prevent the core from deleting its own rows: its own deletion may cascade through tables of the extension. */
const HOLDING = `
  WITH RECURSIVE key AS (SELECT * FROM pg_constraint WHERE contype = 'f'),
  own AS (SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1))),
  deleted (id) AS (
    SELECT confrelid FROM key WHERE conrelid IN (SELECT oid FROM own) AND confrelid NOT IN (SELECT oid FROM own)
    UNION SELECT k.conrelid FROM key k JOIN deleted d ON d.id = k.confrelid WHERE k.confdeltype = 'c' AND k.conrelid IN (SELECT oid FROM own))
  SELECT k.conname AS key, k.conrelid::regclass::text AS own, k.confrelid::regclass::text AS held
    FROM key k JOIN deleted d ON d.id = k.confrelid
   WHERE k.conrelid IN (SELECT oid FROM own)
     AND (k.confdeltype IN ('a', 'r') OR k.confdeltype = 'n' AND EXISTS (
           SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (coalesce(k.confdelsetcols, k.conkey)) AND a.attnotnull))`;

/**
 * Runs an extension's pending migrations in one transaction, in a schema of its own and recorded there, and rolls all of it back when
 * anything outside that schema has changed, rows included.
 * @param core the data source of the core's migrations; the extension's migrations run on connections of the same kind
 * @param check runs first, and throws when the extension's tables are not for this version of it
 * @throws Error with a sentence that names the extension and what it touched
 */
export async function migrateExtension(
  core: DataSource,
  { name, migrations }: ExtensionMigrations,
  check?: (dataSource: DataSource, whose: string) => Promise<void>,
): Promise<void> {
  const schema = extensionSchema(name);
  const dataSource = new DataSource({
    ...core.options,
    schema,
    entities: [],
    migrations: [...migrations],
    migrationsTableName: TABLE,
  } as DataSourceOptions);
  await dataSource.initialize();
  const running = runningOf(dataSource.migrations);
  const runner = dataSource.createQueryRunner();
  try {
    const found = await findSchema(runner, schema);
    if (schema === found.core)
      throw new Error(`the tables of Sluice are in the schema "${schema}"; an extension cannot be called ${name} here`);
    if (migrations.length === 0 && !found.isOwn) return;
    if (found.exists && !found.isOwn)
      throw new Error(`there is a schema "${schema}" already that is not its own; an extension cannot be called ${name} here`);
    const executor = new MigrationExecutor(dataSource, runner);
    if (found.isOwn) {
      await check?.(dataSource, `extension ${name}`);
      if ((await executor.getPendingMigrations()).length === 0) return;
    }
    await runner.startTransaction();
    if (!found.exists) await createSchema(runner, schema, found.core);
    const [before, transaction] = [await factsOutside(runner, schema, found.core), await currentTransaction(runner)];
    await executor.executePendingMigrations();
    if ((await currentTransaction(runner)) !== transaction)
      throw new Error('its migrations ended the transaction they run in, and what they had done by then stays');
    await runner.query(FIRE);
    refuseChanges(schema, before, await factsOutside(runner, schema, found.core));
    await refuseHolding(runner, schema);
    await refuseLateBound(runner, schema);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw new Error(`Extension ${name} cannot be migrated: ${running()}${(error as Error).message}${lineOf(error as Error)}`, {
      cause: error,
    });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** @returns a function that names the migration that runs, with a colon; it returns `''` while none does */
function runningOf(migrations: readonly MigrationInterface[]): () => string {
  let running = '';
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      running = `${migration.name ?? migration.constructor.name}: `;
      await up(runner);
      running = '';
    };
  }
  return () => running;
}

/** The line of a statement that PostgreSQL refuses; `''` for other errors. */
function lineOf({ query = '', position }: Error & { readonly query?: string; readonly position?: string }): string {
  const number = query.slice(0, Number(position) - 1).split('\n').length;
  return position === undefined ? '' : `, in line ${number} of its statement: ${query.split('\n')[number - 1]?.trim()}`;
}

async function findSchema(runner: QueryRunner, schema: string): Promise<{ core: string; exists: boolean; isOwn: boolean }> {
  const [found] = (await runner.query(FOUND, [schema])) as { core: string; exists: boolean; isOwn: boolean }[];
  if (!found) throw new Error('PostgreSQL reported no schema');
  return found;
}

/** A schema with the name of the role comes first in PostgreSQL's own search path: Sluice would look for its tables there. */
async function createSchema(runner: QueryRunner, schema: string, core: string): Promise<void> {
  await runner.query(`CREATE SCHEMA "${schema}"`);
  const [now] = (await runner.query(CORE)) as { core: string }[];
  if (now?.core !== core)
    throw new Error(
      `the database's role is called "${schema}" too and would find this schema first; use another role, or rename the extension`,
    );
}

/** Names of types depend on the search path, so both snapshots are taken with an empty one. Afterwards it is that of the extension. */
async function factsOutside(runner: QueryRunner, schema: string, core: string): Promise<SchemaFacts> {
  await runner.query(LEAVE);
  const facts = (await runner.query(SCHEMA_SNAPSHOT, [schema, core])) as SchemaFact[];
  await runner.query(ENTER, [schema, core]);
  return new Map(facts.map((fact) => [`${fact.kind} ${fact.name} ${fact.detail}`, fact]));
}

async function currentTransaction(runner: QueryRunner): Promise<string | undefined> {
  const [row] = (await runner.query(TRANSACTION)) as { id: string }[];
  return row?.id;
}

function refuseChanges(schema: string, before: SchemaFacts, after: SchemaFacts): void {
  const gone = [...before].find(([key, { content }]) => after.get(key)?.content !== content);
  const [, changed] = gone ?? [...after].find(([key]) => !before.has(key)) ?? [];
  if (!changed) return;
  const { kind, name, detail } = changed;
  const what = name === '' ? `"${detail}"` : `"${name}"${detail ? ` (${detail})` : ''}`;
  throw new Error(`its migrations may not touch the ${kind} ${what}; its own are in the schema "${schema}"`);
}

async function refuseLateBound(runner: QueryRunner, schema: string): Promise<void> {
  const [found] = (await runner.query(LATE_BOUND, [schema])) as { name: string }[];
  if (found)
    throw new Error(
      `its function ${found.name} would look for its tables in other schemas when it is called; add SET search_path FROM CURRENT`,
    );
}

async function refuseHolding(runner: QueryRunner, schema: string): Promise<void> {
  const [found] = (await runner.query(HOLDING, [schema])) as { key: string; own: string; held: string }[];
  if (found)
    throw new Error(
      `the foreign key "${found.key}" of "${found.own}" would keep rows of "${found.held}" from being deleted; say ON DELETE CASCADE or SET NULL`,
    );
}
