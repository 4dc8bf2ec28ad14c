import { versionOfSluice, type Config } from '../config/index.js';
import { EmbeddedPostgres } from '../embedded-postgres/index.js';
import { BackupDraft } from './backup-draft.js';
import { copyRunningCluster } from './base-backup.js';
import { factsOf, recordBackup, type AfterRestore, type OperatorEntry } from './database-facts.js';
import { dump } from './client-program.js';
import type { Manifest } from './manifest.js';
import { namingFiles, withDatabase } from './open-database.js';
import { Session } from './session.js';

export interface BackupOptions extends OperatorEntry {
  readonly path: string;
  readonly pgDump?: string | undefined;
  readonly afterRestore: AfterRestore;
}

export interface BackupResult extends Pick<Manifest, 'kind' | 'postgresMajor' | 'schemaRelease' | 'takenAt'> {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Backs up the database while servers work on it: an external one by pg_dump, the embedded one by a copy of its cluster.
 * @throws BackupError or EmbeddedPostgresError with a sentence for the operator
 */
export function takeBackup(config: Config, options: BackupOptions): Promise<BackupResult> {
  return namingFiles(() =>
    withDatabase(config, async (connection) => {
      const draft = await BackupDraft.create(options.path);
      try {
        return await Session.use(connection, (session) => fillFrom(session, draft, config, options));
      } finally {
        await draft.discard();
      }
    }),
  );
}

async function fillFrom(
  session: Session,
  draft: BackupDraft,
  { database: { directUrl: url }, dataDir }: Config,
  { who, because, pgDump, afterRestore }: BackupOptions,
): Promise<BackupResult> {
  const { now, ...facts } = await factsOf(session, afterRestore);
  let takenAt = now;
  let pgDumpMajor: number | null = null;
  if (url === undefined) takenAt = await copyRunningCluster(session, EmbeddedPostgres.clusterOf(dataDir), draft);
  else pgDumpMajor = await dump(session, draft, url, facts.postgresMajor, pgDump);
  await draft.verify();
  const kind = url === undefined ? ('embedded' as const) : ('external' as const);
  const found = { kind, ...facts, takenAt: takenAt.toISOString() };
  const size = { files: draft.files.length, bytes: draft.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  await recordBackup(session, { who, because }, { takenAt: found.takenAt, ...size });
  await draft.complete({ ...found, sluice: versionOfSluice(), pgDumpMajor, platform: PLATFORM });
  const { postgresMajor, schemaRelease } = facts;
  return { path: draft.target, kind, postgresMajor, schemaRelease, takenAt: found.takenAt, ...size };
}
