import pg from 'pg';
import type { Statement } from '../database/index.js';

/** One connection to the database, without limits of time: a backup takes as long as it takes. */
export class Session {
  private lost: Error | undefined;

  private constructor(private readonly client: pg.Client) {
    client.on('error', (error) => (this.lost = error));
  }

  static async use<T>(connection: pg.ClientConfig, work: (session: Session) => Promise<T>): Promise<T> {
    const client = new pg.Client({ ...connection, application_name: 'sluice backup' });
    const session = new Session(client);
    await client.connect();
    try {
      await client.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0');
      return await work(session);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** The driver has added the variables of PostgreSQL and their defaults. */
  get place(): Readonly<Pick<pg.Client, 'host' | 'port' | 'user' | 'database' | 'password'>> {
    return this.client;
  }

  async rows<Row extends pg.QueryResultRow>({ text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows;
  }

  async execute(command: string): Promise<void> {
    await this.client.query(command);
  }

  async row<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.rows<Row>(statement, values);
    if (!row) throw new Error(`Unreachable: no row from ${statement.text}`);
    return row;
  }

  assertAlive(): void {
    if (this.lost) throw this.lost;
  }
}
