import { compare } from 'semver';
import { sql, type Statement } from '../database/index.js';
import { BackupError } from './backup.error.js';
import type { Session } from './session.js';

const SERVER = sql`SELECT current_setting('server_version_num')::int / 10000 AS "postgresMajor", system_identifier::text AS "systemIdentifier", clock_timestamp() AS now
          FROM pg_control_system()`;
const RELEASES = sql`SELECT release FROM schema_release`;
const RELATIONS = sql`SELECT count(*)::int AS relations FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
          WHERE s.nspname NOT IN ('pg_catalog', 'information_schema') AND NOT starts_with(s.nspname, 'pg_toast')
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;
const RECORD = sql`SELECT operator_action_add($1, $2, $3, $4, $5)`;

export interface OperatorEntry {
  readonly who: string;
  readonly because: string;
}

/** Another folder's statements for a restored database, which run before any server uses it. */
export interface AfterRestore {
  /** Returns one row; `ok`: this database has all that the restore needs. */
  readonly check: Statement;
  readonly run: Statement;
}

export interface DatabaseFacts {
  readonly postgresMajor: number;
  readonly systemIdentifier: string;
  readonly schemaRelease: string;
  readonly now: Date;
}

/** @throws BackupError for a database that a restore could not mark as restored */
export async function factsOf(session: Session, { check }: AfterRestore): Promise<DatabaseFacts> {
  const server = await session.row<Omit<DatabaseFacts, 'schemaRelease'>>(SERVER);
  if (!(await session.row<{ ok: boolean }>(check)).ok)
    throw new BackupError(
      'The database has no tables of this version of Sluice. Start its server once; before an upgrade, use the command of the version that runs',
    );
  const releases = (await session.rows<{ release: string }>(RELEASES)).map(({ release }) => release);
  return { ...server, schemaRelease: releases.sort(compare).at(-1) ?? '' };
}

/** The major version of a server whose database has nothing in it. @throws BackupError when it has */
export async function majorOfEmpty(session: Session): Promise<number> {
  const { relations } = await session.row<{ relations: number }>(RELATIONS);
  if (relations > 0)
    throw new BackupError(
      'The database of DATABASE_URL is not empty. Create an empty one, and set DATABASE_URL to it: a restore deletes nothing',
    );
  return (await session.row<{ postgresMajor: number }>(SERVER)).postgresMajor;
}

export async function recordBackup(session: Session, { who, because }: OperatorEntry, details: object): Promise<void> {
  await session.rows(RECORD, [who, 'backup', 'database', because, details]);
}

export async function recordRestore(
  session: Session,
  { who, because }: OperatorEntry,
  details: object,
  { run }: AfterRestore,
): Promise<void> {
  await session.execute('BEGIN');
  await session.rows(run);
  await session.rows(RECORD, [who, 'restore', 'database', because, details]);
  await session.execute('COMMIT');
}
