import pg from 'pg';
import { compare } from 'semver';
import { AbstractLogger, DataSource, MigrationExecutor } from 'typeorm';
import type { Log } from '../logging/index.js';
import { AdvisoryLock } from './advisory-locks.js';
import type { DatabaseOptions } from './database-options.js';
import { migrateExtension } from './extension-migrations.js';
import { announceRelease, migrateFunctions, oldestCompatibleRelease, recordedRelease } from './function-migrations.js';
import { isLockTimeout, isRetriable } from './pg-errors.js';
import { CONNECT_MS } from './server-check.js';
import { initializeSession, MIGRATING, UNLIMITED } from './session-limits.js';
import { pgTypes } from './database.js';

/** A migration that does not get its locks, or has deadlocked with another session, is rolled back and retried for this long. */
const PATIENCE_MS = 600_000;
const PAUSE_MS = 1_000;

/** The server's start reports why a migration failed: TypeORM would write it to the console a second time. */
class Silence extends AbstractLogger {
  protected override writeLog(): void {}
}

/** The options of a pool whose connections begin with these settings. */
export const poolOptions = (connection: pg.ClientConfig, settings: readonly string[], patienceMs: number, max: number): object => ({
  ...connection,
  onConnect: initializeSession(settings, patienceMs),
  types: pgTypes,
  max,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

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
    await takeTurn(lock, log);
    const dataSource = new DataSource({
      type: 'postgres',
      driver: pg,
      migrations: [...options.migrations],
      migrationsTransactionMode: 'each',
      logger: new Silence(),
      poolErrorHandler: () => undefined,
      extra: poolOptions(connection, [MIGRATING], CONNECT_MS, 2),
    });
    await dataSource.initialize();
    try {
      await migrateCore(dataSource, options, log);
      for (const extension of options.extensions ?? []) {
        const { allowNewerSchema = false } = options;
        await persist(`extension ${extension.name}`, log, () =>
          migrateExtension(dataSource, extension, allowNewerSchema ? undefined : refuseUnknown),
        );
      }
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await lock.end();
  }
}

async function takeTurn(lock: pg.Client, log: Log): Promise<void> {
  const { rows } = await lock.query<{ isFree: boolean }>(`SELECT pg_try_advisory_lock(${AdvisoryLock.migration}) AS "isFree"`);
  if (!rows[0]?.isFree) {
    log.info('database_migration_awaited', {}, 'Another process migrates the database: this one waits for it');
    await lock.query(`SELECT pg_advisory_lock(${AdvisoryLock.migration})`);
  }
}

async function migrateCore(dataSource: DataSource, options: DatabaseOptions, log: Log): Promise<void> {
  const isOlder = await isOlderThanSchema(dataSource, options);
  if (!isOlder && !options.allowNewerSchema) await refuseUnknown(dataSource, 'Sluice');
  const isForeign = isOlder || (await unknownMigration(dataSource)) !== undefined;
  // Before the first migration: where this start ends between two of them, an older process must find what explains them.
  if (!isForeign) await persist('the database', log, () => announceRelease(dataSource, options.functions, options.release));
  await persist('the database', log, async () => {
    const ran = await dataSource.runMigrations();
    if (ran.length > 0)
      log.info(
        'database_migrated',
        { migrations: ran.map(({ name }) => name).join(', ') },
        `The database was migrated (${ran.length} migrations)`,
      );
  });
  if (isForeign)
    log.info('database_schema_newer', {}, 'A newer version of Sluice has migrated the database: its SQL functions stay as they are');
  else await persist('the database', log, () => migrateFunctions(dataSource, options.functions, options.release));
}

/**
 * Has a newer release migrated the database? Its rules are not this release's, so it states the oldest release that may run beside it.
 * @throws Error when this release is older than that, because it would move money in breach of rules that it does not know
 */
async function isOlderThanSchema(dataSource: DataSource, { release, allowNewerSchema }: DatabaseOptions): Promise<boolean> {
  const recorded = await recordedRelease(dataSource);
  if (recorded === undefined || compare(release, recorded) >= 0) return false;
  const oldest = await oldestCompatibleRelease(dataSource);
  if (!allowNewerSchema && compare(release, oldest) < 0)
    throw new Error(
      `Sluice ${recorded} has migrated the database, and its schema needs Sluice ${oldest} or newer; this is ${release}. Start a newer version, or set SLUICE_ALLOW_NEWER_SCHEMA=1 where the notes of ${recorded} say that this one may run beside it`,
    );
  return true;
}

/** @throws Error when the database has a migration that this process does not know: it does not know its rules either */
async function refuseUnknown(dataSource: DataSource, whose: string): Promise<void> {
  const unknown = await unknownMigration(dataSource);
  if (unknown !== undefined)
    throw new Error(
      `The database was migrated by another version of ${whose} (${unknown}), and this one does not know what that changed. Start that version, or set SLUICE_ALLOW_NEWER_SCHEMA=1 where its notes say that this one may run beside it`,
    );
}

async function unknownMigration(dataSource: DataSource): Promise<string | undefined> {
  const known = new Set(dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name));
  return (await new MigrationExecutor(dataSource).getExecutedMigrations()).find(({ name }) => !known.has(name))?.name;
}

/** DDL that waits behind one open transaction makes every payment wait behind it. So it times out early and is retried. */
async function persist(what: string, log: Log, work: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (!(isLockTimeout(cause) || isRetriable(cause)) || Date.now() > until) throw error;
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
