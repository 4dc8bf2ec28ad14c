import type { Type } from '@nestjs/common';
import { DataSource, MigrationExecutor, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';

export interface ExtensionMigrations {
  readonly name: string;
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** The PostgreSQL schema of an extension: its tables, functions and types. */
export const extensionSchema = (name: string): string => name.replaceAll('-', '_');

const TABLE = 'migrations';
const FOUND = `
  SELECT current_schema() AS core, to_regnamespace(quote_ident($1)) IS NOT NULL AS "exists",
         to_regclass(format('%I.${TABLE}', $1)) IS NOT NULL AS "isOwn"`;
/** New objects are made in the schema of the extension; a foreign key still names a table of the core without its schema. */
const ENTER = `SELECT set_config('search_path', concat_ws(', ', quote_ident($1), quote_ident($2)), true)`;
const CORE = 'SELECT current_schema() AS core';
const TRANSACTION = 'SELECT pg_current_xact_id()::text AS id';

/**
 * Runs an extension's pending migrations in one transaction and a schema of its own. They run with Sluice's rights: their author answers for what they do outside of it.
 * @param check throws when the extension's tables are not for this version of it
 * @throws Error with a sentence that names the extension and the migration
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
    await runner.query(ENTER, [schema, found.core]);
    await executor.executePendingMigrations();
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw new Error(`Extension ${name} cannot be migrated: ${running()}${(error as Error).message}`, { cause: error });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** Refuses a migration that ends the transaction. @returns a function that names the migration that runs, with a colon; `''` while none does */
function runningOf(migrations: readonly MigrationInterface[]): () => string {
  let running = '';
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      running = `${migration.name ?? migration.constructor.name}: `;
      const [begun] = (await runner.query(TRANSACTION)) as { id: string }[];
      await up(runner);
      const [ended] = (await runner.query(TRANSACTION)) as { id: string }[];
      if (ended?.id !== begun?.id) throw new Error('it must not end the transaction (COMMIT, ROLLBACK)');
      running = '';
    };
  }
  return () => running;
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
