import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup.error.js';
import type { BackupDraft } from './backup-draft.js';
import { copyDurably, writeDurably } from './durable-file.js';

export const CLUSTER = 'cluster';
const CONTROL = 'global/pg_control';
/** PostgreSQL recreates the contents of these folders, or they do not belong to a backup. `copyWal` copies the write-ahead log. */
const EMPTIED = ['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'];
/** Files of the running server, and temporary ones. A backup has a label of its own. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|pgsql_tmp.*|pg_internal\.init.*)$/;

/** The copy is consistent only with the log from before its beginning to after its end. */
export async function copyCluster(cluster: string, draft: BackupDraft): Promise<void> {
  await draft.addFolder(CLUSTER);
  await copyFolder(cluster, '', draft);
  // Last: it must not be older than the files beside it.
  const control = await readWhole(join(cluster, CONTROL));
  draft.files.push({ path: `${CLUSTER}/${CONTROL}`, ...(await writeDurably(draft.at(`${CLUSTER}/${CONTROL}`), control)) });
}

async function copyFolder(cluster: string, folder: string, draft: BackupDraft): Promise<void> {
  for (const entry of await entriesOf(join(cluster, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.test(entry.name) || path === CONTROL) continue;
    const emptied = EMPTIED.includes(path);
    if (entry.isSymbolicLink() && !emptied)
      throw new BackupError(
        `The cluster has a link to another place (${path}), such as a tablespace. Sluice does not back up such a cluster`,
      );
    if (entry.isDirectory() || emptied) {
      await draft.addFolder(`${CLUSTER}/${path}`);
      if (!emptied) await copyFolder(cluster, path, draft);
    } else if (entry.isFile()) await addFile(join(cluster, path), `${CLUSTER}/${path}`, draft);
  }
}

/** @throws BackupError that names a segment of the log that is missing */
export async function copyWal(cluster: string, segments: readonly string[], draft: BackupDraft): Promise<void> {
  const histories = (await readdir(join(cluster, 'pg_wal'))).filter((name) => /^[0-9A-F]{8}\.history$/.test(name));
  await draft.addFolder(`${CLUSTER}/pg_wal/archive_status`);
  for (const name of [...histories, ...segments])
    if (!(await addFile(join(cluster, 'pg_wal', name), `${CLUSTER}/pg_wal/${name}`, draft)))
      throw new BackupError(`PostgreSQL has deleted ${name}, a segment of its log that the backup needs. Try again`);
}

async function addFile(from: string, path: string, draft: BackupDraft): Promise<boolean> {
  const content = await copyDurably(from, draft.at(path));
  if (content) draft.files.push({ path, ...content });
  return content !== undefined;
}

/** PostgreSQL may write the file while it is read. */
async function readWhole(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ;) {
    const after = await readFile(path);
    if (after.equals(before)) return after;
    before = after;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // A folder of a database that was dropped meanwhile.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
