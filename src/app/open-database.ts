import type { LoggerService } from '@nestjs/common';
import type { Config } from '../platform/config/index.js';
import { startWithServer, type DatabaseOptions } from '../platform/database/index.js';
import { EmbeddedPostgres } from '../platform/embedded-postgres/index.js';
import { Log } from '../platform/logging/index.js';
import { namingExtension, type NamedModule } from './extension-parts.js';

export interface OpenDatabase {
  readonly connection: DatabaseOptions['connection'];
  readonly stop: () => Promise<void>;
  /** Only for the embedded database, which includes the data folder. */
  readonly servesAt?: (url: string | undefined) => void;
}

interface Where {
  readonly connection?: DatabaseOptions['connection'];
  readonly signal?: AbortSignal;
  readonly extensions?: readonly NamedModule[];
}

/** Starts on the database. What a start that fails has opened, `start` closes. */
export async function withDatabase<T>(
  { config, logger }: { readonly config: Config; readonly logger: LoggerService },
  { connection, signal, extensions }: Where,
  start: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, connection, logger);
  const wait = { waitMs: config.database.startMs, signal };
  try {
    return await startWithServer(database.connection, wait, new Log('Database', logger), () => start(database));
  } catch (error) {
    await database.stop();
    throw namingExtension(error, extensions);
  }
}

/** The configured database, or an embedded one. */
async function openDatabase(
  config: Config,
  connection: DatabaseOptions['connection'] | undefined,
  logger: LoggerService,
): Promise<OpenDatabase> {
  const stop = async (): Promise<void> => undefined;
  if (connection) return { connection, stop };
  if (config.database.url !== undefined) return { connection: { connectionString: config.database.url }, stop };
  const log = new Log('Database', logger);
  const postgres = await EmbeddedPostgres.start({
    dataDir: config.dataDir,
    onDown: () => log.error('database_stopped', {}, 'The embedded PostgreSQL stopped; Sluice starts it again'),
    onUp: () => log.info('database_restarted', {}, 'The embedded PostgreSQL answers again'),
  });
  return { connection: { ...postgres.connection }, stop: () => postgres.stop(), servesAt: (url) => postgres.servesAt(url) };
}
