import pg from 'pg';
import { AbstractLogger, DataSource, MigrationExecutor } from 'typeorm';
import type { Log } from '../logging/index.js';
import type { DatabaseOptions } from './database-options.js';
import { migrateExtension } from './extension-migrations.js';
import { isLockTimeout } from './pg-errors.js';
import { CONNECT_MS } from './server-check.js';
import { greeting, MIGRATING, UNLIMITED } from './session-limits.js';
import { pgTypes } from './database.js';

/** Advisory lock that serialises start-up of processes that share a database: the same number in every release, used for nothing else. */
const MIGRATION_LOCK = 7_305_821;
/** A migration that does not get its locks is rolled back and retried for this long. */
const PATIENCE_MS = 600_000;
const PAUSE_MS = 1_000;

/** The server's start reports why a migration failed: TypeORM would write it to the console a second time. */
class Silence extends AbstractLogger {
  protected override writeLog(): void {
    // No output.
  }
}

/**
 * Runs the pending migrations of the core and of each extension; several processes may do this at the same time. It opens its own
 * connections: direct ones when the application's lead through a pooler, and without a statement timeout.
 * @throws Error with a sentence when a migration fails, or when a newer version migrated the database
 */
export async function migrate(options: DatabaseOptions, log: Log): Promise<void> {
  const connection = options.directConnection ?? options.connection;
  const lock = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query(UNLIMITED);
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const dataSource = new DataSource({
      type: 'postgres',
      migrations: [...options.migrations],
      migrationsTransactionMode: 'each',
      logger: new Silence(),
      poolErrorHandler: () => undefined,
      extra: {
        ...connection,
        onConnect: greeting([MIGRATING], CONNECT_MS),
        types: pgTypes,
        max: 2,
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
      },
    });
    await dataSource.initialize();
    try {
      if (!options.allowNewerSchema) await refuseNewer(dataSource, 'Sluice');
      await persist('the database', log, () => dataSource.runMigrations());
      for (const extension of options.extensions ?? []) {
        const { allowNewerSchema = false } = options;
        await persist(`extension ${extension.name}`, log, () =>
          migrateExtension(dataSource, extension, allowNewerSchema ? undefined : refuseNewer),
        );
      }
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await lock.end();
  }
}

/** An old process does not know the rules of a newer schema: it would move money in breach of them. */
async function refuseNewer(dataSource: DataSource, whose: string): Promise<void> {
  const executor = new MigrationExecutor(dataSource);
  const known = new Set(dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const newer = (await executor.getExecutedMigrations()).find(({ name }) => !known.has(name));
  if (newer)
    throw new Error(
      `The database was migrated by another version of ${whose} (${newer.name}), and this one does not know what that changed. Start that version, or set SLUICE_ALLOW_NEWER_SCHEMA=1 where its notes say that this one may run beside it`,
    );
}

/** DDL that waits behind one open transaction makes every payment wait behind it. So it times out early and is retried. */
async function persist(what: string, log: Log, work: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || Date.now() > until) throw error;
      if (attempt === 1 || attempt % 10 === 0)
        log.warn(
          'database_migration_blocked',
          { what, attempt },
          `Migration of ${what} waits for a lock of another session (attempt ${attempt}); it is rolled back and retried`,
        );
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
