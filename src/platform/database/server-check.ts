import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ConfigError } from '../config/index.js';
import { CHECKS_CLIENT, type StatementLimits } from './session-limits.js';

const MIN_MAJOR = 15;
export const CONNECT_MS = 10_000;
/** A pooler's two clients share a server connection in the first round, unless others use it at that moment: hence several rounds. */
const ROUNDS = 25;
const NO_SUCH_STATEMENT = '26000';
const STATEMENT_EXISTS = '42P05';

type Open = () => Promise<pg.Client>;

export interface Server {
  /** Each transaction may run on another server connection: session settings are lost, or apply to other clients. */
  readonly shared: boolean;
  /** The server can notice that a client disconnected while a statement runs for it. */
  readonly checksClients: boolean;
}

/** @throws ConfigError with a sentence that says what is wrong with the server or the pooler, and what to do about it */
export async function checkServer(
  connection: pg.ClientConfig,
  direct: pg.ClientConfig,
  limits: StatementLimits | undefined,
): Promise<Server> {
  return withClients(connection, async (open) => {
    const client = await open();
    await checkSettings(client);
    const shared = await isShared(client, open);
    if (!shared) return { shared, checksClients: await accepts(client, CHECKS_CLIENT) };
    if (await withClients(direct, async (openDirect) => isShared(await openDirect(), openDirect)))
      throw new ConfigError([
        'DATABASE_URL leads through a pooler in transaction mode. Set DATABASE_DIRECT_URL to the same database without the pooler: migrations and live updates need it',
      ]);
    if (limits) await checkRole(client, limits);
    return { shared, checksClients: false };
  });
}

async function checkSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; prepared: number; isReadOnly: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('max_prepared_transactions')::int AS prepared,
            current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
  );
  const [{ version, prepared, isReadOnly } = { version: 0, prepared: 0, isReadOnly: false }] = rows;
  if (version < MIN_MAJOR * 10_000)
    throw new ConfigError([`PostgreSQL ${MIN_MAJOR} or newer is needed; the server is ${Math.floor(version / 10_000)}`]);
  if (isReadOnly)
    throw new ConfigError([
      'The database is read-only: a standby, or default_transaction_read_only is on. Let DATABASE_URL lead to the primary server, and start again',
    ]);
  if (prepared > 0)
    throw new ConfigError([
      `The server allows prepared transactions (max_prepared_transactions = ${prepared}). One that is left open would hold the lock on the order of events, and with it every payment. Set max_prepared_transactions = 0 and restart the server`,
    ]);
}

/**
 * Whether clients share the server's connections. PostgreSQL sends a direct client its backend process id at connect; a pooler sends an id
 * of its own.
 * @throws ConfigError when connections are shared and the pooler does not carry prepared statements
 */
async function isShared(one: pg.Client, open: Open): Promise<boolean> {
  const [common, own] = ['common', 'own'].map((what) => `sluice_probe_${what}_${randomBytes(6).toString('hex')}`);
  const processOf = async (client: pg.Client, name: string | undefined): Promise<number | undefined> =>
    (await client.query<{ pid: number }>({ ...(name !== undefined && { name }), text: 'SELECT pg_backend_pid() AS pid' })).rows[0]?.pid;
  try {
    const first = await processOf(one, common);
    if (first === (one as unknown as { processID: number }).processID) return false;
    const other = await open();
    let shared = false;
    for (let round = 0; round < ROUNDS; round++) {
      // If both share a connection, the common name exists there already; if a client was moved, its own name is missing.
      const [another, again] = [await processOf(other, common), await processOf(one, own)];
      shared ||= another === first || again !== first;
    }
    return shared;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== NO_SUCH_STATEMENT && code !== STATEMENT_EXISTS) throw error;
    throw new ConfigError([
      'DATABASE_URL leads through a pooler in transaction mode that does not carry prepared statements: most payments would fail. Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or its session mode, or connect without the pooler',
    ]);
  }
}

async function accepts(client: pg.Client, setting: string): Promise<boolean> {
  return client.query(setting).then(
    () => true,
    () => false,
  );
}

/** Behind a pooler the session cannot be limited, so the role must be. */
async function checkRole(client: pg.Client, { statementMs, lockMs }: StatementLimits): Promise<void> {
  const { rows } = await client.query<{ role: string; statement: number; lock: number }>(
    `SELECT quote_ident(current_user) AS role, (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS statement,
            (SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout') AS lock`,
  );
  const [{ role, statement, lock } = { role: '', statement: 0, lock: 0 }] = rows;
  if (statement > 0 && statement <= statementMs && lock > 0 && lock <= statement) return;
  throw new ConfigError([
    `DATABASE_URL leads through a pooler in transaction mode, where Sluice cannot limit its statements. Limit them at the role, and let the pooler reconnect: ALTER ROLE ${role} SET statement_timeout = ${statementMs}; ALTER ROLE ${role} SET lock_timeout = ${lockMs}`,
  ]);
}

/** Ends the connections that `work` opens, when it has ended. */
export async function withClients<T>(config: pg.ClientConfig, work: (open: Open) => Promise<T>): Promise<T> {
  const clients: pg.Client[] = [];
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS, keepAlive: true });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    return await work(open);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
