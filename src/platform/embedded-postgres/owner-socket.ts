import pg from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { ADMINISTRATOR, DATABASE, DURABILITY } from './settings.js';

/** Connection settings for both `pg` and TypeORM; `host` is the socket's folder, except on Windows. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const OWNER = 'sluice owner, process ';

/**
 * The owner's connection. While it is open, its application name shows every other process that the owner of this server is alive, which a
 * process id cannot (containers reuse process ids at once). When it breaks, the owner knows that the database is away.
 */
export class OwnerSocket {
  readonly lost: Promise<void>;

  private constructor(private readonly client: pg.Client) {
    this.lost = new Promise((resolve) => client.once('end', () => resolve()));
  }

  /** Connects as the owner. @throws Error of `pg` when the server accepts no connections */
  static async connect(connection: PostgresConnection): Promise<OwnerSocket> {
    const client = clientOf(connection, OWNER + String(process.pid));
    const socket = new OwnerSocket(client);
    await client.connect();
    return socket;
  }

  /** @throws EmbeddedPostgresError when a power cut could lose a committed payment */
  async assertDurable(): Promise<void> {
    for (const name of DURABILITY) {
      const { rows } = await this.client.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
      if (rows[0]?.value !== 'off') continue;
      throw new EmbeddedPostgresError(
        `PostgreSQL runs with ${name} = off, and payments could be lost. Take that line out of its postgresql.conf or postgresql.auto.conf.`,
      );
    }
  }

  async createDatabase(): Promise<void> {
    const { rowCount } = await this.client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await this.client.query(`CREATE DATABASE ${DATABASE}`);
  }

  async setPassword(password: string): Promise<void> {
    await this.client.query(`ALTER ROLE ${ADMINISTRATOR} PASSWORD ${this.client.escapeLiteral(password)}`);
  }

  async release(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

/** No server; a server that accepts no connections now (it starts, recovers or ends); or one that does, with its owner's process. */
export type LockHolder = { kind: 'none' } | { kind: 'busy' } | { kind: 'server'; owner: string | undefined };

export async function findHolder(connection: PostgresConnection): Promise<LockHolder> {
  const client = clientOf(connection, 'sluice');
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'SELECT application_name AS name FROM pg_stat_activity WHERE starts_with(application_name, $1)',
      [OWNER],
    );
    return { kind: 'server', owner: rows[0]?.name.slice(OWNER.length) };
  } catch (error) {
    return { kind: isPassing(error as { code?: string }) ? 'busy' : 'none' };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** 57P01 to 57P03: the server shuts down, crashed a moment ago, or accepts no connections yet. */
function isPassing({ code }: { code?: string }): boolean {
  return code?.startsWith('57P0') ?? false;
}

function clientOf(connection: PostgresConnection, applicationName: string): pg.Client {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: applicationName });
  // Without a listener, losing the connection would end the process.
  client.on('error', () => undefined);
  return client;
}
