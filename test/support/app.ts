import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import pg from 'pg';
import { createApp, type CreateAppOptions, type Sluice } from '../../src/bootstrap.js';
import { loadConfig, PinoLogger } from '../../src/config/index.js';
import { pgTypes } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export interface TestAppOptions extends Omit<CreateAppOptions, 'config' | 'connection'> {
  /** On top of the demo's defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Share the database (and so the world) of another application: a second process of the same installation. */
  readonly beside?: TestApp;
  /** A database that is there already. */
  readonly database?: TestDatabase;
}

/** The real application on a database of its own, listening. */
export interface TestApp {
  readonly sluice: Sluice;
  readonly url: string;
  readonly database: TestDatabase;
  /** Straight to the database, for ageing rows and for the audit. */
  readonly pool: pg.Pool;
  readonly logs: string[];
  get<T>(token: abstract new (...args: never[]) => T): T;
  close(): Promise<void>;
}

const SECRET = 'a secret for tests, long enough to be one';

export async function createTestApp({ env = {}, beside, database: given, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const database = beside?.database ?? given ?? (await createTestDatabase());
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const config = loadConfig(
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      SLUICE_DATA_DIR: dataDir,
      DATABASE_POOL_SIZE: '8',
      LOG_LEVEL: 'debug',
      SECRET_KEY: SECRET,
      ...env,
    },
    () => SECRET,
  );
  const logs: string[] = [];
  const logger: LoggerService =
    options.logger ??
    new PinoLogger({ level: config.logLevel, tokenPrefix: config.tokenPrefix }, { write: (line) => void logs.push(line) });
  const sluice = await createApp({ ...options, config, connection: database.connection, logger });
  await sluice.listen();
  const pool = new pg.Pool({ ...database.connection, max: 4, types: pgTypes });
  pool.on('error', () => undefined);
  return {
    sluice,
    url: config.publicUrl,
    database,
    pool,
    logs,
    get: (token) => sluice.app.get(token),
    close: async () => {
      await sluice.close();
      await pool.end();
      if (!beside) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A port nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
