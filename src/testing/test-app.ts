import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import pg from 'pg';
import { createApp, type CreateAppOptions, type Sluice } from '../app/bootstrap.js';
import { LightningSimulator } from '../money/lightning/index.js';
import { PinoLogger } from '../platform/logging/index.js';
import { pgTypes } from '../platform/database/index.js';
import { EmbeddedPostgres, freePort } from '../platform/embedded-postgres/index.js';

export interface TestAppOptions extends Omit<CreateAppOptions, 'config'> {
  /** Environment variables on top of a demo's, or with `lightning` of a production server's. The process's own are not read. */
  readonly env?: Readonly<Record<string, string>>;
  /** With `lightning`: pays an invoice of the node from outside, so that `TestUser` can have funds. */
  readonly payFromOutside?: (app: TestApp, paymentRequest: string) => Promise<unknown>;
}

/** The real application on its own database, listening on loopback. */
export interface TestApp {
  readonly sluice: Sluice;
  /** For example `http://localhost:41234`. */
  readonly url: string;
  /** Direct access to the database: to age rows, or to read what was written. */
  readonly pool: pg.Pool;
  /** Every log line, as JSON. */
  readonly logs: readonly string[];
  /** The provider with this token, from any module. */
  get<T>(token: abstract new (...args: never[]) => T): T;
  /** Pays an invoice of the application's node from outside: by the simulator, or as the options of `createTestApp` define. */
  payFromOutside(paymentRequest: string): Promise<unknown>;
  /** The ledger's violated invariants: always empty. */
  audit(): Promise<readonly string[]>;
  /** Ends the application, then the database that was started for it, and removes its folder. */
  close(): Promise<void>;
}

const DEFAULTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_POOL_SIZE: '2',
  // Twice the default: on a busy machine a row of our own may be locked for longer.
  DATABASE_LOCK_MS: '1000',
  // All callers of a test share one address, and often one key.
  WORK_PER_ADDRESS: '1000',
  WORK_PER_PRINCIPAL: '1000',
  LOG_LEVEL: 'debug',
  SECRET_KEY: 'a secret for tests, long enough to be one',
};
/** The least that argon2 takes: a password of a test is no secret. */
const FAST_HASHES = { memoryKib: 8, passes: 1 };
const AUDIT = `SELECT what || ': ' || n AS finding FROM ledger_audit WHERE n <> 0 ORDER BY what`;

/**
 * Starts the application as `createApp` does, in demo mode with simulated Lightning and no seeded users. With `lightning` it starts in
 * production mode, on regtest and with open registration, because a demo has no other back end than the simulator.
 * @param options with `connection` the application uses that database, which remains; without it an embedded PostgreSQL of its own
 * @throws the errors of `createApp`, after removing everything it started
 */
export async function createTestApp({ env = {}, connection, payFromOutside, settings, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const storage = await openStorage(connection);
  const variables = { ...DEFAULTS, SLUICE_DATA_DIR: storage.folder, ...(options.lightning && (await ownNode())), ...env };
  const { LOG_LEVEL: level, TOKEN_PREFIX: tokenPrefix = 'sluice' } = variables as Readonly<Record<string, string>>;
  const logs: string[] = [];
  const logger: LoggerService =
    options.logger ?? new PinoLogger({ level: level as string, tokenPrefix }, { write: (line) => void logs.push(line) });
  let sluice: Sluice;
  let url: string;
  try {
    sluice = await createApp({
      ...options,
      settings: { PasswordSettings: FAST_HASHES, ...settings },
      env: variables,
      connection: storage.connection,
      logger,
    });
    url = await sluice.listen();
  } catch (error) {
    await storage.release();
    throw error;
  }
  const pool = new pg.Pool({ ...storage.connection, max: 4, types: pgTypes });
  pool.on('error', () => undefined);
  const app: TestApp = {
    sluice,
    url,
    pool,
    logs,
    get: (token) => sluice.app.get(token),
    payFromOutside: (paymentRequest) =>
      payFromOutside ? payFromOutside(app, paymentRequest) : sluice.app.get(LightningSimulator).payOutside(paymentRequest),
    audit: async () => (await pool.query<{ finding: string }>(AUDIT)).rows.map(({ finding }) => finding),
    close: async () => {
      await sluice.close();
      await pool.end();
      await storage.release();
    },
  };
  return app;
}

/** What a production server requires; its public address contains its port, so that must be known before. */
async function ownNode(): Promise<Readonly<Record<string, string>>> {
  const PORT = String(await freePort());
  return {
    SLUICE_MODE: 'production',
    SLUICE_EMBEDDED_POSTGRES: '1',
    LIGHTNING_BACKEND: 'custom',
    NETWORK: 'regtest',
    // As in a demo: tests of pages register people.
    REGISTRATION: 'open',
    PUBLIC_URL: `http://localhost:${PORT}`,
    PORT,
  };
}

/** A data folder and a database. */
interface TestStorage {
  readonly folder: string;
  readonly connection: pg.ClientConfig;
  release(): Promise<void>;
}

async function openStorage(connection: pg.ClientConfig | undefined): Promise<TestStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (connection) return { folder, connection, release: () => Promise.resolve(remove()) };
  // When tests run as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const postgres = await EmbeddedPostgres.start({ dataDir: folder, durable: false });
  return { folder, connection: { ...postgres.connection }, release: () => postgres.stop().then(remove) };
}
