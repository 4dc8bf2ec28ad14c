import pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';

/** Where a test can stop a process. Each is a row that a statement of a payment writes just before its commit. */
const POINTS = {
  /** The money is held or moved, and the payment begun. */
  begin: 'BEFORE INSERT ON payment FOR EACH ROW',
  /** The process has asked the node to pay. */
  send: `BEFORE INSERT ON simulator.payment FOR EACH ROW WHEN (new.payer = 'ours')`,
  /** The node has answered, and the process is ending the payment. */
  finish: `BEFORE UPDATE OF state ON payment FOR EACH ROW`,
  /** The node has been paid, and the process is crediting the recipient. */
  settle: 'BEFORE UPDATE ON settlement_cursor FOR EACH ROW',
  /** An invoice was paid internally, and the process asks the node to cancel its copy. */
  'close copy': `BEFORE UPDATE ON simulator.invoice FOR EACH ROW WHEN (new.state = 'cancelled')`,
} as const;

export type FaultPoint = keyof typeof POINTS;
const NAMES = Object.keys(POINTS) as FaultPoint[];
const LOCKS = 7_411;

/**
 * Named fault points, planted in the database: a statement that reaches one waits there, uncommitted, until the test continues it.
 * The program under test has no part in this, so there is nothing to switch off in production.
 */
export class FaultPoints {
  private constructor(private readonly client: pg.Client) {}

  static async plant(connection: pg.ClientConfig): Promise<FaultPoints> {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(`CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCKS}, TG_ARGV[0]::int); RETURN new; END $$`);
    for (const [index, name] of NAMES.entries())
      await client.query(`CREATE TRIGGER stop_here_${index} ${POINTS[name]} EXECUTE FUNCTION stop_here(${index})`);
    return new FaultPoints(client);
  }

  /** From now on every statement that reaches the point stops. */
  async set(point: FaultPoint): Promise<void> {
    await this.client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, NAMES.indexOf(point)]);
  }

  /** Waits until a statement has stopped there. */
  async reached(point: FaultPoint): Promise<void> {
    await eventually(async () => (await this.waiting(point)).length > 0);
  }

  /** Rolls back what waits there and opens the point: the process died before its commit. */
  async rollBack(point: FaultPoint): Promise<void> {
    const pids = await this.waiting(point);
    await this.client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
    await this.gone(pids);
    await this.open(point);
  }

  /** Commits what waits there and opens the point: the process died before it received the answer to its commit. */
  async commit(point: FaultPoint): Promise<void> {
    const pids = await this.waiting(point);
    await this.open(point);
    await this.gone(pids);
  }

  /** Lets what waits there continue; its client receives the answer. */
  async open(point: FaultPoint): Promise<void> {
    await this.client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, NAMES.indexOf(point)]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async waiting(point: FaultPoint): Promise<number[]> {
    const { rows } = await this.client.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = $1 AND objid = $2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCKS, NAMES.indexOf(point)],
    );
    return rows.map(({ pid }) => pid);
  }

  private async gone(pids: readonly number[]): Promise<void> {
    await eventually(async () => (await this.client.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids])).rowCount === 0);
  }
}
