import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../scripts/build.js';
import { makeMemoryFolder } from './memory-folder.mjs';

/** The run's own database server and its folders, for the teardown. */
export let database;
export let memoryFolder;

/**
 * Builds, because some tests run the program as its users do, and starts one PostgreSQL for the whole run. Workers inherit TMPDIR, and
 * TEST_DATABASE: JSON for `pg`, connecting as the administrator to the maintenance database, where each test makes its own.
 */
export default async function globalSetup() {
  // A folder that was chosen stays.
  if (process.env.TMPDIR === undefined) {
    memoryFolder = makeMemoryFolder();
    if (memoryFolder !== undefined) process.env.TMPDIR = memoryFolder;
  }
  // A file that does not compile fails the tests that load it, and no others.
  await build().catch((error) => console.error(error.message));
  // `npm run attack` needs no server of its own.
  if (process.env.ATTACK_TARGET !== undefined) return;
  // Imported only now: the build may have just created it.
  const { EmbeddedPostgres } = await import('../../dist/src/platform/embedded-postgres/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  // Where tests run as root, PostgreSQL runs as another user, who needs access.
  chmodSync(dataDir, 0o755);
  const server = await EmbeddedPostgres.start({ dataDir, durable: false });
  database = { server, dataDir };
  process.env.TEST_DATABASE = JSON.stringify({ ...server.connection, database: 'postgres' });
}
