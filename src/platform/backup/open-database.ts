import type pg from 'pg';
import type { Config } from '../config/index.js';
import { EmbeddedPostgres } from '../embedded-postgres/index.js';
import { BackupError } from './backup.error.js';

/** Starts the embedded database if no server runs it. @throws EmbeddedPostgresError when there is none yet */
export async function withDatabase<T>({ database, dataDir }: Config, work: (connection: pg.ClientConfig) => Promise<T>): Promise<T> {
  if (database.directUrl !== undefined) return work({ connectionString: database.directUrl });
  EmbeddedPostgres.assertMade(dataDir);
  const running = await EmbeddedPostgres.findRunning(dataDir);
  if (running) return work({ ...running });
  const server = await EmbeddedPostgres.start({ dataDir });
  try {
    return await work({ ...server.connection });
  } finally {
    await server.stop();
  }
}

/** Runs `work`; a fault of the file system, such as a full disk, becomes a sentence. */
export async function namingFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path, syscall, message } = error as NodeJS.ErrnoException;
    if (path !== undefined || ['write', 'read', 'fsync'].includes(syscall ?? '')) throw new BackupError(message);
    throw error;
  }
}
