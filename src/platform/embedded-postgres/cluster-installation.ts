import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../config/index.js';
import { Binaries } from './binaries.js';
import { ClusterFolder } from './cluster-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { reclaimLock } from './lock.js';
import type { PostgresConnection } from './owner-socket.js';
import { Runner } from './runner.js';

export interface InstallationOptions {
  readonly dataDir: string;
  readonly major: number;
  /** A cluster that is there is moved aside; else it is an error. */
  readonly replace: boolean;
  /** Copies PostgreSQL's folder, with a label of a backup and the log that belongs to it, to this empty folder. */
  readonly fill: (cluster: string) => Promise<void>;
  /** Works on the recovered database `sluice`, before any other process can. */
  readonly prepare: (connection: PostgresConnection) => Promise<void>;
}

/** Local connections need no password: the socket is in a folder that only this user may enter, and the cluster's password is not known here. */
const TRUST = 'local all all trust\nhost all all 127.0.0.1/32 trust\n';

/**
 * Makes the files of a backup the cluster of a data folder. PostgreSQL recovers beside it, so that an installation that fails or is interrupted
 * changes nothing there.
 * @returns where the cluster before it is now; undefined: there was none
 * @throws EmbeddedPostgresError when a server uses the data folder, or has used it and `replace` is false
 */
export async function installCluster(options: InstallationOptions): Promise<string | undefined> {
  const { dataDir } = options;
  const target = new ClusterFolder(dataDir);
  const binaries = await Binaries.locate();
  if (options.major !== binaries.major)
    throw new EmbeddedPostgresError(
      `The backup is of PostgreSQL ${options.major}; this is PostgreSQL ${binaries.major}, which cannot read it.`,
    );
  target.create();
  const runner = Runner.choose(binaries, target.home);
  await assertFree(target, runner, options.replace);
  // On the same disk as the cluster, so that it can be moved there.
  const draftDir = join(target.home, 'restoring');
  createDraft(draftDir);
  try {
    const draft = new ClusterFolder(draftDir);
    draft.create();
    mkdirSync(draft.data, { mode: 0o700 });
    await options.fill(draft.data);
    await recover(draftDir, target.password(), runner, options);
    await assertFree(target, runner, options.replace);
    return await exchange(draft, target);
  } finally {
    rmSync(draftDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function assertFree(target: ClusterFolder, runner: Runner, replace: boolean): Promise<void> {
  if (target.version === undefined) return;
  const obstacle = await reclaimLock(target, runner);
  if (obstacle) throw new EmbeddedPostgresError(obstacle.reason);
  if (!replace)
    throw new EmbeddedPostgresError(
      `There is a database in ${target.data}. Set SLUICE_DATA_DIR to another folder, or move the database aside with --replace.`,
    );
}

function createDraft(draftDir: string): void {
  try {
    mkdirSync(draftDir);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new EmbeddedPostgresError(`Cannot write to ${draftDir} (${message}).`);
    throw new EmbeddedPostgresError(
      `${draftDir} exists: another restore is running, or one was interrupted. If none runs, remove the folder.`,
    );
  }
}

/**
 * PostgreSQL replays the log of the backup and begins a timeline of its own, as for every recovery from an archive: so it refuses a log that ends before the
 * backup does, which after a mere crash it would not.
 */
async function recover(draftDir: string, password: string, runner: Runner, { prepare }: InstallationOptions): Promise<void> {
  const { home, data } = new ClusterFolder(draftDir);
  const access = join(home, 'access.conf');
  writeFileSync(access, TRUST, { mode: 0o600 });
  if (runner.owner) chownSync(access, runner.owner.uid, runner.owner.gid);
  writeFileSync(join(data, 'recovery.signal'), '', { mode: 0o600 });
  // The log is in place, and there is no archive: the command has to be set, and to fail.
  const settings = { hba_file: access, restore_command: 'exit 1' };
  const server = await EmbeddedPostgres.start({ dataDir: draftDir, settings });
  try {
    await server.setPassword(password);
    await prepare(server.connection);
  } finally {
    await server.stop();
  }
}

async function exchange(draft: ClusterFolder, target: ClusterFolder): Promise<string | undefined> {
  let before: string | undefined;
  if (existsSync(target.data)) {
    before = `${target.data}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    renameSync(target.data, before);
  }
  try {
    renameSync(draft.data, target.data);
  } catch (error) {
    if (before !== undefined) renameSync(before, target.data);
    throw error;
  }
  await syncFolder(target.home);
  return before;
}
