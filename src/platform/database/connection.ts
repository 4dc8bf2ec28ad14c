import { DataSource } from 'typeorm';
import type { Log } from '../logging/index.js';
import type { DatabaseOptions } from './database-options.js';
import { migrate, poolOptions } from './migrator.js';
import { checkSecretKey } from './secret-key.js';
import { checkServer, CONNECT_MS } from './server-check.js';
import { CHECKS_CLIENT, limited } from './session-limits.js';
import pg from 'pg';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

export async function openDataSource(options: DatabaseOptions, log: Log): Promise<DataSource> {
  const { connection, directConnection = connection, limits, poolSize, maxStatementMs = CONNECT_MS } = options;
  const server = await checkServer(connection, directConnection, limits);
  await migrate(options, log);
  const settings = server.shared ? [] : [...(limits ? [limited(limits)] : []), ...(server.checksClients ? [CHECKS_CLIENT] : [])];
  const dataSource: DataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize,
    poolErrorHandler: (error: Error) => {
      // After `destroy` the pool may still be closing connections when their server stops: that loses nothing.
      if (dataSource.isInitialized) log.warn('database_connection_lost', {}, `An idle connection to the database ended: ${error.message}`);
    },
    extra: poolOptions(connection, settings, maxStatementMs, poolSize),
  });
  await dataSource.initialize();
  try {
    if (options.secrets) await checkSecretKey(poolOf(dataSource), options.secrets);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

/** The pool of an open DataSource: the only one of the process, for TypeORM and for `Database` alike. */
export function poolOf({ driver }: DataSource): pg.Pool {
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : undefined;
  if (!(pool instanceof pg.Pool)) throw new Error('The DataSource has no pool of PostgreSQL connections');
  return pool;
}
