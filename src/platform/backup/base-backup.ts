import { sql } from '../database/index.js';
import type { BackupDraft } from './backup-draft.js';
import { BackupError } from './backup.error.js';
import { CLUSTER, copyCluster, copyWal } from './cluster-files.js';
import { writeDurably } from './durable-file.js';
import type { Session } from './session.js';
import { lsnOf, segmentNames, startOf } from './wal.js';

const SETTINGS = sql`SELECT current_setting('wal_level') AS level, current_setting('max_replication_slots')::int AS slots`;
// From now on PostgreSQL keeps its log; the slot ends with this session.
const HOLD_WAL = sql`SELECT pg_create_physical_replication_slot($1, true, true)`;
// At once: a checkpoint at leisure takes minutes, for which the operator would wait.
const START = sql`SELECT pg_backup_start('sluice backup', true)`;
const STOP = sql`SELECT lsn::text, labelfile AS label, clock_timestamp() AS at, (SELECT setting FROM pg_settings WHERE name = 'wal_segment_size') AS bytes FROM pg_backup_stop(false)`;

interface Stopped {
  readonly lsn: string;
  readonly label: string;
  readonly at: Date;
  readonly bytes: string;
}

/**
 * Copies the cluster of a server that runs, with the part of its log that makes the copy consistent.
 * @returns the time of the database at the end of the copy
 */
export async function copyRunningCluster(session: Session, cluster: string, draft: BackupDraft): Promise<Date> {
  const { level, slots } = await session.row<{ level: string; slots: number }>(SETTINGS);
  if (level === 'minimal' || slots === 0)
    throw new BackupError(`PostgreSQL runs with wal_level = ${level} and max_replication_slots = ${slots}; a backup needs replica and 1`);
  await session.rows(HOLD_WAL, [`sluice_backup_${process.pid}`]);
  await session.rows(START);
  await copyCluster(cluster, draft);
  session.assertAlive();
  const stopped = await session.row<Stopped>(STOP);
  await addLog(cluster, stopped, draft);
  return stopped.at;
}

/** The log up to the end of the backup. Its last segment is complete: PostgreSQL begins another one at the end of a backup. */
async function addLog(cluster: string, { lsn, label, bytes }: Stopped, draft: BackupDraft): Promise<void> {
  const start = startOf(label);
  await copyWal(cluster, segmentNames(start.timeline, start.lsn, lsnOf(lsn), BigInt(bytes)), draft);
  const path = `${CLUSTER}/backup_label`;
  draft.files.push({ path, ...(await writeDurably(draft.at(path), label)) });
}
