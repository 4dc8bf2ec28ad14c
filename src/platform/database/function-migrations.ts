import { createHash } from 'node:crypto';
import { compare } from 'semver';
import type { DataSource } from 'typeorm';

/** SQL that creates functions, triggers or views, and that may run again at any time (docs/adr/0026). */
export interface SqlFunctions {
  readonly name: string;
  readonly text: string;
}

const ARE_RECORDED = `SELECT to_regclass('schema_release') IS NOT NULL AS recorded`;
const RECORDS = `
  CREATE TABLE IF NOT EXISTS schema_release (
    release     text        CONSTRAINT schema_release_pk PRIMARY KEY,
    migrated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS schema_function (
    name       text        CONSTRAINT schema_function_pk PRIMARY KEY,
    hash       text        NOT NULL,
    release    text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;
const RECORD_FUNCTION = `
  INSERT INTO schema_function (name, hash, release) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, release = excluded.release, created_at = now()`;
const RECORD_RELEASE = 'INSERT INTO schema_release (release) VALUES ($1) ON CONFLICT DO NOTHING';

export async function recordedRelease(dataSource: DataSource): Promise<string | undefined> {
  const [row] = await dataSource.query<{ recorded: boolean }[]>(ARE_RECORDED);
  if (!row?.recorded) return undefined;
  const rows = await dataSource.query<{ release: string }[]>('SELECT release FROM schema_release');
  return rows.map(({ release }) => release).sort(compare).at(-1); // prettier-ignore
}

/** The oldest release that may run on this schema, as the newest release that migrated it has stated. */
export async function oldestCompatibleRelease(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<{ oldest: string }[]>('SELECT schema_compatibility() AS oldest');
  if (!row) throw new Error('schema_compatibility gave no answer');
  return row.oldest;
}

export function announceRelease(dataSource: DataSource, functions: readonly SqlFunctions[], release: string): Promise<void> {
  const stated = functions.filter(({ name }) => name === 'schema_compatibility');
  return migrateFunctions(dataSource, stated, release);
}

/**
 * Creates the functions whose text is not the recorded one, in one transaction with the record. The caller has checked that no newer
 * release has created them: an older one would take their changes back.
 */
export async function migrateFunctions(dataSource: DataSource, functions: readonly SqlFunctions[], release: string): Promise<void> {
  await dataSource.transaction(async ({ queryRunner }) => {
    if (!queryRunner) throw new Error('A transaction has a query runner');
    await queryRunner.query(RECORDS);
    const recorded = (await queryRunner.query('SELECT name, hash FROM schema_function')) as { name: string; hash: string }[];
    const hashes = new Map(recorded.map(({ name, hash }) => [name, hash]));
    for (const { name, text } of functions) {
      const hash = createHash('sha256').update(text).digest('hex');
      if (hashes.get(name) === hash) continue;
      await queryRunner.query(text).catch((error: unknown) => {
        throw new Error(`The SQL functions "${name}" cannot be created: ${(error as Error).message}`, { cause: error });
      });
      await queryRunner.query(RECORD_FUNCTION, [name, hash, release]);
    }
    await queryRunner.query(RECORD_RELEASE, [release]);
  });
}
