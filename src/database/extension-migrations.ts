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
interface Fact {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly content: string;
}
type Facts = ReadonlyMap<string, Fact>;

const TABLE = 'migrations';
/** `core`: where Sluice's own tables are. */
const FOUND = `
  SELECT current_schema() AS core, to_regnamespace(quote_ident($1)) IS NOT NULL AS "exists",
         to_regclass(format('%I.${TABLE}', $1)) IS NOT NULL AS "isOwn"`;
/** New objects are made in the schema of the extension; a foreign key still names a table of the core without its schema. */
const ENTER = `SELECT set_config('search_path', concat_ws(', ', quote_ident($1), quote_ident($2)), true)`;
const TRANSACTION = 'SELECT pg_current_xact_id()::text AS id';
/** Foreign keys that would prevent the core from deleting its own rows. */
const HOLDING = `
  SELECT k.conname AS key, c.relname AS own, r.relname AS held
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
   WHERE k.contype = 'f' AND k.confdeltype IN ('a', 'r')
     AND c.relnamespace = to_regnamespace(quote_ident($1)) AND r.relnamespace <> c.relnamespace`;

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
  const runner = dataSource.createQueryRunner();
  try {
    const found = await findSchema(runner, schema);
    if (migrations.length === 0 && !found.isOwn) return;
    if (found.exists && !found.isOwn)
      throw new Error(`there is a schema "${schema}" already that is not its own; an extension cannot be called ${name} here`);
    const executor = new MigrationExecutor(dataSource, runner);
    if (found.isOwn) {
      await check?.(dataSource, `extension ${name}`);
      if ((await executor.getPendingMigrations()).length === 0) return;
    }
    await runner.startTransaction();
    const [before, transaction] = [await factsOutside(runner, schema, found.core), await currentTransaction(runner)];
    if (!found.exists) await runner.query(`CREATE SCHEMA "${schema}"`);
    await runner.query(ENTER, [schema, found.core]);
    await executor.executePendingMigrations();
    if ((await currentTransaction(runner)) !== transaction)
      throw new Error('its migrations ended the transaction they run in, and what they had done by then stays');
    refuseChanges(schema, before, await factsOutside(runner, schema, found.core));
    await refuseHolding(runner, schema);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw new Error(`Extension ${name} cannot be migrated: ${(error as Error).message}`, { cause: error });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function findSchema(runner: QueryRunner, schema: string): Promise<{ core: string; exists: boolean; isOwn: boolean }> {
  const [found] = (await runner.query(FOUND, [schema])) as { core: string; exists: boolean; isOwn: boolean }[];
  if (!found) throw new Error('PostgreSQL reported no schema');
  return found;
}

async function factsOutside(runner: QueryRunner, schema: string, core: string): Promise<Facts> {
  const facts = (await runner.query(SCHEMA_SNAPSHOT, [schema, core])) as Fact[];
  return new Map(facts.map((fact) => [`${fact.kind} ${fact.name} ${fact.detail}`, fact]));
}

async function currentTransaction(runner: QueryRunner): Promise<string | undefined> {
  const [row] = (await runner.query(TRANSACTION)) as { id: string }[];
  return row?.id;
}

function refuseChanges(schema: string, before: Facts, after: Facts): void {
  const gone = [...before].find(([key, { content }]) => after.get(key)?.content !== content);
  const [, changed] = gone ?? [...after].find(([key]) => !before.has(key)) ?? [];
  if (!changed) return;
  const { kind, name, detail } = changed;
  const what = name === '' ? `"${detail}"` : `"${name}"${detail ? ` (${detail})` : ''}`;
  throw new Error(`its migrations may not touch the ${kind} ${what}; its own are in the schema "${schema}"`);
}

async function refuseHolding(runner: QueryRunner, schema: string): Promise<void> {
  const [found] = (await runner.query(HOLDING, [schema])) as { key: string; own: string; held: string }[];
  if (found)
    throw new Error(
      `the foreign key "${found.key}" of "${found.own}" would keep rows of "${found.held}" from being deleted; say ON DELETE CASCADE or SET NULL`,
    );
}
