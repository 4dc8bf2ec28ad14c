import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../config/index.js';
import type { ClusterFolder } from './cluster-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { Runner } from './runner.js';
import { ADMINISTRATOR, clusterSettings } from './settings.js';

/**
 * Creates the cluster if there is none, else checks that this version can start it.
 * @throws EmbeddedPostgresError for a cluster of another major version
 */
export async function prepareCluster(folder: ClusterFolder, runner: Runner, durable: boolean): Promise<void> {
  if (folder.version) removeDrafts(folder);
  else await createCluster(folder, runner, durable);
  refuseOtherMajor(folder, runner.binaries.major);
}

function refuseOtherMajor({ version, home, data }: ClusterFolder, major: number): void {
  if (version === String(major)) return;
  throw new EmbeddedPostgresError(
    `The data folder ${data} was created by PostgreSQL ${version}; this is PostgreSQL ${major}, which cannot read it. Nothing was changed. ` +
      `To move the data, start PostgreSQL ${version} on that folder (the password of user ${ADMINISTRATOR} is in ${join(home, 'password')}), save database "sluice" with pg_dump, ` +
      'load it with pg_restore into your own PostgreSQL and set DATABASE_URL. To start afresh, move the folder away.',
  );
}

/**
 * initdb writes to a draft folder that is renamed when complete, so that a crash leaves no partial cluster.
 * When two processes do this together, one finds the other's cluster in place.
 */
async function createCluster(folder: ClusterFolder, runner: Runner, durable: boolean): Promise<void> {
  const draft = mkdtempSync(`${folder.data}.new-`);
  const passwordFile = `${draft}.password`;
  try {
    writeFileSync(passwordFile, folder.password(), { mode: 0o600 });
    if (runner.owner) for (const path of [draft, passwordFile]) chownSync(path, runner.owner.uid, runner.owner.gid);
    await runner.run('initdb', initdbArguments(draft, passwordFile, durable));
    appendFileSync(join(draft, 'postgresql.conf'), clusterSettings());
    renameSync(draft, folder.data);
    if (durable) await syncFolder(dirname(folder.data));
  } catch (error) {
    if (!existsSync(folder.data))
      throw new EmbeddedPostgresError(`The database could not be created in ${folder.home}: ${(error as Error).message}`);
  } finally {
    for (const path of [draft, passwordFile]) rmSync(path, { recursive: true, force: true });
  }
}

function initdbArguments(dir: string, passwordFile: string, durable: boolean): string[] {
  const always = ['-D', dir, '-U', ADMINISTRATOR, '--encoding=UTF8', '--no-locale', '--no-instructions'];
  return durable
    ? [...always, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--data-checksums']
    : [...always, '--auth=trust', '--no-sync', '--wal-segsize=4'];
}

/** Removes drafts that a crash left behind. A process that is writing one now fails, and then finds the cluster in place. */
function removeDrafts(folder: ClusterFolder): void {
  const prefix = `${basename(folder.data)}.new-`;
  for (const name of readdirSync(folder.home))
    if (name.startsWith(prefix)) rmSync(join(folder.home, name), { recursive: true, force: true, maxRetries: 5 });
}
