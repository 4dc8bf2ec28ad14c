import type { LoggerService, Type } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { pgTypes } from './database.js';
import type { ExtensionMigrations } from './extension-migrations.js';
import { migrate } from './migrator.js';
import { checkServer, CONNECT_MS } from './server-check.js';
import { CHECKS_CLIENT, greeting, limited, type StatementLimits } from './session-limits.js';

/** Where the database is and what lives in it. */
export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** For migrations, LISTEN and advisory locks, where `connection` leads through a pooler in transaction mode. */
  readonly directConnection?: pg.ClientConfig;
  readonly poolSize: number;
  /** See `Database`; without it a statement may take for ever. */
  readonly longestStatementMs?: number;
  /** What PostgreSQL itself allows a statement. */
  readonly limits?: StatementLimits;
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
  readonly extensions?: readonly ExtensionMigrations[];
  /** The database may have been migrated by a newer version than this one. */
  readonly allowNewerSchema?: boolean;
}

/** Checks the server and what stands before it, migrates, and connects; several processes may do this at once. */
export async function openDataSource(options: DatabaseOptions, log: LoggerService): Promise<DataSource> {
  const { connection, directConnection = connection, limits, poolSize, longestStatementMs = CONNECT_MS } = options;
  const server = await checkServer(connection, directConnection, limits);
  await migrate(options, log);
  const settings = server.shared ? [] : [...(limits ? [limited(limits)] : []), ...(server.checksClients ? [CHECKS_CLIENT] : [])];
  const dataSource: DataSource = new DataSource({
    type: 'postgres',
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize,
    poolErrorHandler: (error: Error) => {
      // After the end the pool's last connections may still be closing when their server goes: that is no loss.
      if (dataSource.isInitialized) log.warn(`An idle database connection ended: ${error.message}`);
    },
    extra: {
      ...connection,
      onConnect: greeting(settings, longestStatementMs),
      types: pgTypes,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    },
  });
  await dataSource.initialize();
  return dataSource;
}
