import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { FUNCTIONS, MIGRATIONS } from '../../migrations/index.js';
import { versionOfSluice } from '../../src/platform/config/index.js';
import { openDataSource } from '../../src/platform/database/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { eventually } from '../../src/testing/eventually.js';

/** The schema of the present release, as the application creates it. */
export const CURRENT_SCHEMA = { migrations: MIGRATIONS, functions: FUNCTIONS, release: versionOfSluice() };
const silent = new Log('test', { log: () => undefined, warn: () => undefined, error: () => undefined });
const TEMPLATE = 'sluice_template';
/** Workers build the template one at a time. */
const TEMPLATE_LOCK = 4_711;
const SESSIONS_END_MS = 2_000;

const admin = (): pg.ClientConfig => JSON.parse(process.env['TEST_DATABASE'] ?? 'null') as pg.ClientConfig;

/** A migrated database for one test. */
export interface TestDatabase {
  readonly connection: pg.ClientConfig;
  drop(): Promise<void>;
}

/** `DATABASE_URL` of a process that uses the database. */
export function urlOf({ connection: { host, port, user, password, database } }: TestDatabase): string {
  const secret = encodeURIComponent(typeof password === 'string' ? password : '');
  return `postgres://${user}:${secret}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`;
}

/**
 * Copies the migrated template (made once a run), file by file: PostgreSQL's default writes every page to its log, which takes four times
 * as long.
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(async (client) => {
    await client.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
    if (migrated) await ensureTemplate(client);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : 'template1'} STRATEGY FILE_COPY`);
  });
  return {
    connection: { ...admin(), database: name },
    drop: () => asAdministrator((client) => dropDatabase(client, name)),
  };
}

/**
 * A pool reports its end before the server has ended its sessions. `FORCE` would end them with an error, which no test listens for any more;
 * it is for sessions that a test has left open.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const isLeft = async (): Promise<boolean> =>
    (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount === 0;
  await eventually(isLeft, SESSIONS_END_MS).catch(() => undefined);
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function ensureTemplate(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
  if (rowCount) return;
  // An attempt that failed leaves its draft.
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}_draft WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}_draft`);
  const connection = { ...admin(), database: `${TEMPLATE}_draft` };
  const dataSource = await openDataSource({ connection, poolSize: 2, entities: [], ...CURRENT_SCHEMA }, silent);
  await dataSource.destroy();
  await client.query(`ALTER DATABASE ${TEMPLATE}_draft RENAME TO ${TEMPLATE}`);
}

/** Runs `work` on a connection of its own to the maintenance database, as the administrator. */
export async function asAdministrator(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(admin());
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
