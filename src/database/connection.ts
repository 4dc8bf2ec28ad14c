import type { LoggerService, Type } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { pgTypes } from './database.js';
import { migrateExtension, type ExtensionMigrations } from './extension-migrations.js';

/** Where the database is and what lives in it. */
export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** For LISTEN and advisory locks, where `connection` leads through a pooler in transaction mode. */
  readonly directConnection?: pg.ClientConfig;
  readonly poolSize: number;
  /** See `Database`; without it a statement may take for ever. */
  readonly longestStatementMs?: number;
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
  readonly extensions?: readonly ExtensionMigrations[];
}

/** Serialises start-up between processes that share one database: the same number in every release, and in no other advisory lock of ours. */
const MIGRATION_LOCK = 7_305_821;
const OLDEST_MAJOR = 15;
const CONNECT_MS = 10_000;

/** Connects, checks the server's version, and migrates; several processes may do this at once. */
export async function openDataSource(options: DatabaseOptions, log: LoggerService): Promise<DataSource> {
  const dataSource: DataSource = new DataSource({
    type: 'postgres',
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize: options.poolSize,
    poolErrorHandler: (error: Error) => {
      // After the end the pool's last connections may still be saying goodbye when their server goes: nobody's loss.
      if (dataSource.isInitialized) log.warn(`An idle database connection ended: ${error.message}`);
    },
    extra: {
      ...options.connection,
      // For as long as the client lives: between two statements of a transaction neither the pool nor a query listens, and an `error` that
      // has no listener ends the process. What is asked of the connection next is refused, and that is how its user learns of it.
      onConnect: (client: pg.Client) => void client.on('error', () => undefined),
      types: pgTypes,
      max: options.poolSize,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    },
  });
  await dataSource.initialize();
  try {
    await checkVersion(dataSource);
    await migrate(dataSource, options);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

async function checkVersion(dataSource: DataSource): Promise<void> {
  const [{ version } = { version: '0' }] = await dataSource.query<{ version: string }[]>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  if (Number(version) < OLDEST_MAJOR * 10_000)
    throw new Error(`PostgreSQL ${OLDEST_MAJOR} or newer is needed; the server is ${Math.floor(Number(version) / 10_000)}`);
}

async function migrate(dataSource: DataSource, { connection, directConnection, extensions = [] }: DatabaseOptions): Promise<void> {
  // A lock of a session, which is the pooler's and not ours where one stands between.
  const lock = new pg.Client({ ...(directConnection ?? connection), connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await dataSource.runMigrations();
    for (const extension of extensions) await migrateExtension(dataSource, extension);
  } finally {
    await lock.end();
  }
}
