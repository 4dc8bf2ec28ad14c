import { sql } from '../database/index.js';
import type { BackupDraft } from './backup-draft.js';
import { BackupError } from './backup.error.js';
import { CLUSTER, copyCluster, copyWal } from './cluster-files.js';
import { writeDurably } from './durable-file.js';
import type { Session } from './session.js';

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

const HEX = 16;
const hex8 = (value: bigint): string => value.toString(HEX).toUpperCase().padStart(8, '0');

export function lsnOf(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Names the segments of the log that hold the bytes from `start` to before `stop`. @param timeline the first eight digits of the names */
export function segmentNames(timeline: string, start: bigint, stop: bigint, segmentBytes: bigint): string[] {
  const perFile = 0x1_0000_0000n / segmentBytes;
  const names: string[] = [];
  for (let segment = start / segmentBytes; segment <= (stop - 1n) / segmentBytes; segment++)
    names.push(`${timeline}${hex8(segment / perFile)}${hex8(segment % perFile)}`);
  return names;
}

/** @throws Error for a backup label of an unknown form */
export function startOf(label: string): { readonly timeline: string; readonly lsn: bigint } {
  const [, lsn, file] = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+) \(file ([0-9A-F]{24})\)$/m.exec(label) ?? [];
  if (lsn === undefined || file === undefined) throw new Error(`PostgreSQL's backup label has an unknown form:\n${label}`);
  return { timeline: file.slice(0, 8), lsn: lsnOf(lsn) };
}
