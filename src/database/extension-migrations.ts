import type { Type } from '@nestjs/common';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA_SNAPSHOT } from './schema-snapshot.js';

export interface ExtensionMigrations {
  readonly name: string;
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** The prefix of an extension's tables, functions and types. */
export const extensionPrefix = (name: string): string => `${name.replaceAll('-', '_')}_`;

/** One fact about the database. `name` is its object; the prefix of the name decides which extension owns it. */
interface Fact {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly content: string;
}
type Facts = ReadonlyMap<string, Fact>;

const TRANSACTION = 'SELECT pg_current_xact_id()::text AS id';
/** Foreign keys that would prevent the core from deleting its own rows. */
const HOLDING = `
  SELECT k.conname AS key, c.relname AS own, r.relname AS held
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
   WHERE k.contype = 'f' AND k.confdeltype IN ('a', 'r') AND starts_with(c.relname, $1) AND NOT starts_with(r.relname, $1)`;

/**
 * Runs an extension's pending migrations in one transaction, recorded in the extension's own table, and rolls all of it back when the
 * schema or the rows of anything but the extension have changed.
 * @param core the data source of the core's migrations; the extension's migrations run on connections of the same kind
 * @param check runs first, and throws when the extension's tables are not for this version of it
 * @throws Error with a sentence that names the extension and what it touched
 */
export async function migrateExtension(
  core: DataSource,
  { name, migrations }: ExtensionMigrations,
  check?: (dataSource: DataSource, whose: string) => Promise<void>,
): Promise<void> {
  const prefix = extensionPrefix(name);
  const migrationsTableName = `${prefix}migrations`;
  const dataSource = new DataSource({
    ...core.options,
    entities: [],
    migrations: [...migrations],
    migrationsTableName,
  });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await check?.(dataSource, `extension ${name}`);
    const executor = new MigrationExecutor(dataSource, runner);
    if ((await executor.getPendingMigrations()).length === 0) return;
    await runner.startTransaction();
    const [before, transaction] = [await factsOf(runner), await currentTransaction(runner)];
    if (!(await runner.hasTable(migrationsTableName))) refuseStrangers(name, prefix, before);
    await executor.executePendingMigrations();
    if ((await currentTransaction(runner)) !== transaction)
      throw new Error('its migrations ended the transaction they run in, and what they had done by then stays');
    refuseChanges(prefix, before, await factsOf(runner));
    await refuseHolding(runner, prefix);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw new Error(`Extension ${name} cannot be migrated: ${(error as Error).message}`, { cause: error });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function factsOf(runner: QueryRunner): Promise<Facts> {
  const facts = (await runner.query(SCHEMA_SNAPSHOT)) as Fact[];
  return new Map(facts.map((fact) => [`${fact.kind} ${fact.name} ${fact.detail}`, fact]));
}

async function currentTransaction(runner: QueryRunner): Promise<string | undefined> {
  const [row] = (await runner.query(TRANSACTION)) as { id: string }[];
  return row?.id;
}

/** Before its first migration an extension owns nothing: an object with its prefix is foreign, and would later count as its own. */
function refuseStrangers(name: string, prefix: string, facts: Facts): void {
  const stranger = [...facts.values()].find((fact) => fact.name.startsWith(prefix));
  if (stranger)
    throw new Error(
      `there is a ${stranger.kind} "${stranger.name}" already that is not its own; an extension cannot be called ${name} here`,
    );
}

function refuseChanges(prefix: string, before: Facts, after: Facts): void {
  const gone = [...before].filter(([key, { content }]) => after.get(key)?.content !== content);
  const come = [...after].filter(([key]) => !before.has(key));
  for (const [, { kind, name, detail }] of [...gone, ...come]) {
    if (name.startsWith(prefix)) continue;
    const what = name === '' ? `"${detail}"` : `"${name}"${detail ? ` (${detail})` : ''}`;
    throw new Error(`its migrations may not touch the ${kind} ${what}; its own begin with "${prefix}"`);
  }
}

async function refuseHolding(runner: QueryRunner, prefix: string): Promise<void> {
  const [found] = (await runner.query(HOLDING, [prefix])) as { key: string; own: string; held: string }[];
  if (found)
    throw new Error(
      `the foreign key "${found.key}" of "${found.own}" would keep rows of "${found.held}" from being deleted; say ON DELETE CASCADE or SET NULL`,
    );
}
