import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/index.js';
import { keepDatabase } from './global-database.js';

/**
 * One PostgreSQL for the whole run. Workers inherit TEST_DATABASE: JSON for `pg`, connecting as the administrator to the
 * maintenance database, from which each test makes a database of its own.
 */
export default async function globalSetup(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  // Where tests run as root, PostgreSQL runs as somebody else, who has to get in.
  chmodSync(dataDir, 0o755);
  const server = await EmbeddedPostgres.start({ dataDir, durable: false });
  keepDatabase({ server, dataDir });
  process.env['TEST_DATABASE'] = JSON.stringify({ ...server.connection, database: 'postgres' });
}
