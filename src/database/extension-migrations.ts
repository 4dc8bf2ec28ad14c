import type { Type } from '@nestjs/common';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';

export interface ExtensionMigrations {
  readonly name: string;
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** All there is about tables, functions and triggers that are not the extension's own, one line each. */
const OTHERS = `
  SELECT 'table ' || c.relname || ' column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v') AND NOT starts_with(c.relname, $1) AND c.relname <> $2
  UNION ALL SELECT 'table ' || c.relname || ' constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relnamespace = current_schema()::regnamespace AND NOT starts_with(c.relname, $1) AND c.relname <> $2
  UNION ALL SELECT 'table ' || c.relname || ' trigger ' || t.tgname || ' ' || t.tgenabled
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND NOT starts_with(c.relname, $1)
  UNION ALL SELECT 'function ' || p.proname || ' ' || md5(p.prosrc) FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND NOT starts_with(p.proname, $1)`;

/**
 * Runs an extension's pending migrations in one transaction, in a register of their own, and takes all of it back when anything that is
 * not the extension's has changed.
 * @throws Error with a sentence that names the extension and the table
 */
export async function migrateExtension(core: DataSource, { name, migrations }: ExtensionMigrations): Promise<void> {
  const prefix = `${name.replaceAll('-', '_')}_`;
  const register = `${prefix}migrations`;
  const dataSource = new DataSource({ ...core.options, entities: [], migrations: [...migrations], migrationsTableName: register } as typeof core.options);
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const before = await othersThan(runner, prefix, register);
    await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    const after = await othersThan(runner, prefix, register);
    const changed = [...before].find((line) => !after.has(line)) ?? [...after].find((line) => !before.has(line));
    if (changed !== undefined) {
      const [kind, what] = changed.split(' ');
      throw new Error(`Extension ${name} may not touch the ${kind} "${what}": its own begin with "${prefix}"`);
    }
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function othersThan(runner: QueryRunner, prefix: string, register: string): Promise<Set<string>> {
  const rows = (await runner.query(OTHERS, [prefix, register])) as { line: string }[];
  return new Set(rows.map(({ line }) => line));
}
