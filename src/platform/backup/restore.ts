import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { syncFolder, type Config } from '../config/index.js';
import { installCluster } from '../embedded-postgres/index.js';
import { PLATFORM } from './backup.js';
import { BackupError } from './backup.error.js';
import { findProgram, runProgram, DUMP } from './client-program.js';
import { CLUSTER } from './cluster-files.js';
import { factsOf, majorOfEmpty, recordRestore, type AfterRestore, type OperatorEntry } from './database-facts.js';
import { contentOf, copyDurably, type Content } from './durable-file.js';
import { readManifest, type BackupFile, type Manifest } from './manifest.js';
import { namingFiles, withDatabase } from './open-database.js';
import { Session } from './session.js';

export interface RestoreOptions extends OperatorEntry {
  readonly path: string;
  readonly replace: boolean;
  readonly pgRestore?: string | undefined;
  readonly afterRestore: AfterRestore;
}

export interface RestoreResult extends Pick<Manifest, 'kind' | 'takenAt' | 'sluice' | 'schemaRelease'> {
  readonly path: string;
  /** Where the embedded database before it is now; null: there was none. */
  readonly movedTo: string | null;
}

/**
 * Restores a backup into an empty database, and marks it as restored: no server sends from it before it has been compared with the node.
 * @throws BackupError or EmbeddedPostgresError with a sentence for the operator; then the target is as it was
 */
export function restoreBackup(config: Config, options: RestoreOptions): Promise<RestoreResult> {
  return namingFiles(() => restoreFrom(resolve(options.path), config, options));
}

async function restoreFrom(path: string, config: Config, options: RestoreOptions): Promise<RestoreResult> {
  const manifest = await readManifest(path);
  const { kind, takenAt, sluice, schemaRelease } = manifest;
  const { directUrl } = config.database;
  assertFits(manifest, directUrl, options.replace);
  const movedTo =
    directUrl === undefined
      ? await restoreCluster(config.dataDir, path, manifest, options)
      : await restoreDump(directUrl, path, manifest, options);
  return { path, kind, takenAt, sluice, schemaRelease, movedTo };
}

/** Marks the database that is there as restored, for one that was restored by other means, such as a copy of the data folder. */
export async function markAsRestored(config: Config, entry: OperatorEntry, afterRestore: AfterRestore): Promise<void> {
  await withDatabase(config, (connection) =>
    Session.use(connection, async (session) => {
      await factsOf(session, afterRestore);
      await recordRestore(session, entry, {}, afterRestore);
    }),
  );
}

function assertFits({ kind, platform }: Manifest, url: string | undefined, replace: boolean): void {
  if (kind === 'external' && url === undefined)
    throw new BackupError('The backup is a dump by pg_dump. Set DATABASE_URL to an empty database of your own PostgreSQL');
  if (kind === 'embedded' && url !== undefined)
    throw new BackupError('The backup is of the embedded PostgreSQL, and DATABASE_URL is set. Restore it without DATABASE_URL');
  if (kind === 'embedded' && platform !== PLATFORM)
    throw new BackupError(`The backup is of ${platform}; PostgreSQL cannot read its files on ${PLATFORM}`);
  if (replace && url !== undefined)
    throw new BackupError('--replace is for the embedded database. Create an empty database, and set DATABASE_URL to it');
}

async function restoreCluster(dataDir: string, path: string, manifest: Manifest, options: RestoreOptions): Promise<string | null> {
  const movedTo = await installCluster({
    dataDir,
    major: manifest.postgresMajor,
    replace: options.replace,
    fill: (cluster) => fill(path, cluster, manifest),
    prepare: (connection) => mark(connection, manifest, options),
  });
  return movedTo ?? null;
}

async function fill(backup: string, cluster: string, { files, folders }: Manifest): Promise<void> {
  const below = (path: string): string => join(cluster, path.slice(CLUSTER.length));
  const own = folders.filter((path) => path !== CLUSTER);
  for (const path of own) await mkdir(below(path), { mode: 0o700 });
  for (const file of files) assertSame(file, await copyDurably(join(backup, file.path), below(file.path)));
  for (const path of [...own.toReversed(), CLUSTER]) await syncFolder(below(path));
}

function assertSame({ path, bytes, sha256 }: BackupFile, content: Content | undefined): void {
  if (!content) throw new BackupError(`The backup is incomplete: ${path} is missing`);
  if (content.bytes !== bytes || content.sha256 !== sha256)
    throw new BackupError(`The backup is damaged: ${path} is not as it was when the backup was made`);
}

async function restoreDump(url: string, path: string, manifest: Manifest, options: RestoreOptions): Promise<null> {
  for (const file of manifest.files) assertSame(file, await contentOf(join(path, file.path)));
  await Session.use({ connectionString: url }, async (session) => {
    const major = await majorOfEmpty(session);
    if (major < manifest.postgresMajor)
      throw new BackupError(
        `The backup is of PostgreSQL ${manifest.postgresMajor}, and this is PostgreSQL ${major}. Use the same major version or a newer one`,
      );
    const program = await findProgram('pg_restore', manifest.pgDumpMajor ?? manifest.postgresMajor, options.pgRestore);
    // In one transaction: a restore that fails leaves the database empty.
    const args = [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      `--dbname=${conninfo(session.place.database)}`,
    ];
    await runProgram(program, [...args, join(path, DUMP)], session, url);
    await session.execute('ANALYZE');
  });
  await mark({ connectionString: url }, manifest, options);
  return null;
}

/** A name as PostgreSQL's programs read it: plain, it could be taken for settings of a connection. */
const conninfo = (database = 'postgres'): string => `dbname='${database.replace(/[\\']/g, '\\$&')}'`;

function mark(
  connection: pg.ClientConfig,
  { takenAt, sluice, systemIdentifier }: Manifest,
  { afterRestore, ...entry }: RestoreOptions,
): Promise<void> {
  return Session.use(connection, (session) => recordRestore(session, entry, { takenAt, sluice, systemIdentifier }, afterRestore));
}
