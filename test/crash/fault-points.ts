import pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';
import type { ServerProcess } from '../support/server-process.js';

/**
 * Every step of every state machine at which a process can end, in the order in which one process can be stopped at all of them: work that
 * stops at one does not pass a later one. Each is a row that a statement writes just before its commit, in the database or at the simulated node.
 */
const POINTS = {
  /** Cancelling an invoice: the node has confirmed it. */
  cancel: `BEFORE UPDATE OF state ON invoice FOR EACH ROW WHEN (new.state = 'cancelled')`,
  /** An invoice was paid internally, and the process asks the node to cancel its copy. */
  'close copy': `BEFORE UPDATE ON simulator.invoice FOR EACH ROW WHEN (new.state = 'cancelled')`,
  /** The node has answered, and the process is ending the payment. */
  finish: `BEFORE UPDATE OF state ON payment FOR EACH ROW`,
  /** The reconciler claims payments that are due, before it asks the node about them. */
  claim: 'BEFORE UPDATE ON payment FOR EACH ROW WHEN (new.checks > old.checks)',
  /** The node has answered that it does not know a payment. */
  'not found': 'BEFORE UPDATE ON payment FOR EACH ROW WHEN (old.not_found_at IS NULL AND new.not_found_at IS NOT NULL)',
  /** The node has reported a payment in flight. */
  seen: 'BEFORE UPDATE ON payment FOR EACH ROW WHEN (new.seen_in_flight AND NOT old.seen_in_flight)',
  /** Creating an invoice: the node has made it, and the process is storing it. */
  store: 'BEFORE INSERT ON invoice FOR EACH ROW',
  /** Creating an invoice: the process has asked the node to make it. */
  make: `BEFORE INSERT ON simulator.invoice FOR EACH ROW WHEN (new.payee = 'ours')`,
  /** The process has asked the node to pay. */
  send: `BEFORE INSERT ON simulator.payment FOR EACH ROW WHEN (new.payer = 'ours')`,
  /** The process claims a payment, to send it next. */
  dispatch: 'BEFORE UPDATE ON payment FOR EACH ROW WHEN (old.dispatched_at IS NULL AND new.dispatched_at IS NOT NULL)',
  /** The money is held, and the payment begun. */
  begin: `BEFORE INSERT ON payment FOR EACH ROW WHEN (new.kind = 'ln')`,
  /** The money of an internal payment is moved. */
  move: `BEFORE INSERT ON payment FOR EACH ROW WHEN (new.kind IN ('internal', 'intraledger'))`,
  /** The node has been paid, and the process is crediting the recipient. */
  settle: 'BEFORE UPDATE ON settlement_cursor FOR EACH ROW',
  /** An operator ends a payment. */
  resolve: `BEFORE INSERT ON operator_action FOR EACH ROW WHEN (new.action = 'payment resolve')`,
  /** A payment to a bitcoin address is held and queued. */
  queue: 'BEFORE INSERT ON payout FOR EACH ROW',
  /** A batch takes what is queued. */
  take: 'BEFORE INSERT ON payout_batch FOR EACH ROW',
  /** The wallet keeps coins for the batch. */
  fund: 'BEFORE INSERT ON simulated_chain.lease FOR EACH ROW',
  /** The signed transaction is stored. */
  sign: 'BEFORE INSERT ON payout_transaction FOR EACH ROW',
  /** The wallet has been given the transaction. */
  publish: `BEFORE INSERT ON simulated_chain.transaction FOR EACH ROW WHEN (new.label <> '')`,
  /** The wallet has it. */
  sent: `BEFORE UPDATE ON payout_batch FOR EACH ROW WHEN (old.state = 'signed' AND new.state = 'broadcast')`,
  /** A block has it. */
  confirm: `BEFORE UPDATE ON payout_batch FOR EACH ROW WHEN (old.state <> 'confirmed' AND new.state = 'confirmed')`,
  /** A payment asks its owner. */
  ask: 'BEFORE INSERT ON payment_approval FOR EACH ROW',
  /** One that was approved has begun, and the job notes that. */
  answered: `BEFORE UPDATE ON payment_approval FOR EACH ROW WHEN (old.state = 'approved' AND new.state = 'ended')`,
} as const;

/** The steps of a payment to a bitcoin address. */
export const PAYOUT_POINTS = ['queue', 'take', 'fund', 'sign', 'publish', 'sent', 'confirm'] as const;
/** The steps of a payment that its owner is asked for, beside those of every payment. */
export const APPROVAL_POINTS = ['ask', 'answered'] as const;
export type FaultPoint = keyof typeof POINTS;
/** In the order of the list. */
export const FAULT_POINTS = Object.keys(POINTS) as FaultPoint[];
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
    for (const [index, name] of FAULT_POINTS.entries())
      await client.query(`CREATE TRIGGER stop_here_${index} ${POINTS[name]} EXECUTE FUNCTION stop_here(${index})`);
    return new FaultPoints(client);
  }

  /** From now on every statement that reaches the point stops. */
  async set(point: FaultPoint): Promise<void> {
    await this.client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, FAULT_POINTS.indexOf(point)]);
  }

  /** Waits until a statement has stopped there. */
  async reached(point: FaultPoint): Promise<void> {
    await eventually(async () => (await this.waiting(point)).length > 0);
  }

  /**
   * Kills a process that waits at these points. `commit`: its statements are carried out, and it dies before it reads their answers. It stands
   * still meanwhile, because PostgreSQL ends a statement soon after its client has died.
   */
  async kill(server: ServerProcess, outcome: 'commit' | 'rollBack', points: readonly FaultPoint[]): Promise<void> {
    if (outcome === 'commit') {
      process.kill(server.pid, 'SIGSTOP');
      for (const point of points) await this.carryOut(point);
    }
    const { signal } = await server.end('SIGKILL');
    if (signal !== 'SIGKILL') throw new Error(`The server had ended before, by ${signal}`);
    if (outcome === 'rollBack') for (const point of points) await this.rollBack(point);
  }

  /** Lets what waits there continue; its client receives the answer. */
  async open(point: FaultPoint): Promise<void> {
    await this.client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, FAULT_POINTS.indexOf(point)]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Rolls back what waits there and opens the point: the process died before its commit. */
  async rollBack(point: FaultPoint): Promise<void> {
    const pids = await this.waiting(point);
    await this.client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
    await this.gone(pids);
    await this.open(point);
  }

  private async carryOut(point: FaultPoint): Promise<void> {
    const pids = await this.waiting(point);
    await this.open(point);
    const running = `SELECT FROM pg_stat_activity WHERE pid = ANY ($1) AND state = 'active'`;
    await eventually(async () => (await this.client.query(running, [pids])).rowCount === 0);
  }

  private async waiting(point: FaultPoint): Promise<number[]> {
    const { rows } = await this.client.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = $1 AND objid = $2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCKS, FAULT_POINTS.indexOf(point)],
    );
    return rows.map(({ pid }) => pid);
  }

  private async gone(pids: readonly number[]): Promise<void> {
    await eventually(async () => (await this.client.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids])).rowCount === 0);
  }
}
