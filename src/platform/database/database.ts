import { Injectable } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { Log, LogInterval } from '../logging/index.js';
import {
  isConnectionSpent,
  isDiskFull,
  isWithoutConnection,
  lockedTupleIn,
  markNotSent,
  markSentAt,
  PoolExhaustedError,
} from './pg-errors.js';
import { sql, type Statement } from './sql.js';

/** Runs statements inside one transaction. A function that takes a `Tx` joins that transaction and never commits. */
export interface Tx {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const readTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [
    TIMESTAMPTZ,
    (text) => {
      // V8 reads a time of our era in a fifth of the driver's time; infinity and others are left to the driver.
      const time = new Date(text);
      return Number.isNaN(time.getTime()) ? readTime(text) : time;
    },
  ],
]);

/** `int8` is read as a bigint, never as a string or a lossy number. */
export const pgTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary'): unknown =>
    format === 'binary'
      ? pg.types.getTypeParser(oid, format)
      : (PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format))) as pg.CustomTypesConfig['getTypeParser'],
};

/** A process that dies must not leave its transaction open: it would keep its locks and hold back the events after it. */
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'`;
/** SET LOCAL, for the rest of the transaction: behind a pooler the session is shared. */
const UNLIMIT = 'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';
/** `isFull` ends when no statement has failed on a full disk for this long. */
const FULL_MS = 10_000;
const COMMIT = sql`COMMIT`;

/** Closes at once, without waiting for a connection that may be dead. */
export function discardClient(client: pg.Client): void {
  client.end().catch(() => undefined);
  (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
}

/** The application's access to the database: statements over TypeORM's own pool. Money moves through SQL functions, never `save()`. */
@Injectable()
export class Database {
  private readonly log = new Log('Database');
  private fullUntil = -Infinity;
  private inUse = 0;
  private readonly fullPoolLog = new LogInterval(60_000);
  private readonly fullPool = new Set<() => void>();
  private readonly lockedRows = new Map<string, (ctid: string) => void>();

  /**
   * @param pool TypeORM's
   * @param maxStatementMs client-side timeout of a statement: after it the database counts as away and the connection is discarded,
   * because a network may drop packets without an error. What the statement did is then unknown. 0: no timeout
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly maxStatementMs = 0,
  ) {}

  /** One statement, one round trip. */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (statement.mayTakeLong) return this.transaction((tx) => tx.query<Row>(statement, values));
    // Callbacks, because every read runs through here, and a promise per step would cost more than the step.
    return new Promise((resolve, reject) => {
      this.pool.connect((unconnected, client, release) => {
        if (!client) return reject(this.unconnected(unconnected ?? new Error('There is no connection')));
        this.inUse++;
        const sentAt = performance.now();
        const answered = (error: Error | null, result?: pg.QueryResult): void => {
          this.inUse--;
          release(error && isConnectionSpent(error) ? error : undefined);
          if (error) reject(this.noted(error, sentAt));
          else resolve((result?.rows ?? []) as Row[]);
        };
        try {
          client.query(this.queryOf(statement, values), answered);
        } catch (error) {
          answered(error as Error);
        }
      });
    });
  }

  /** Runs `query` on a new connection: when an answer was lost, the pool's other connections may be dead too. */
  async queryAnew<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new pg.Client(this.pool.options);
    client.on('error', () => undefined);
    try {
      await this.connectClient(client);
      return await this.ask<Row>(client, statement, values);
    } finally {
      discardClient(client);
    }
  }

  /** READ COMMITTED. Rolls back when `work` throws; `work` makes no network call but to the database. */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw this.unconnected(error);
    });
    this.inUse++;
    let broken: Error | undefined;
    try {
      await client.query({ text: BEGIN, query_timeout: this.maxStatementMs } as pg.QueryConfig);
      const result = await work({
        query: async <Row>(statement: Statement, values: readonly unknown[] = []) => {
          if (statement.mayTakeLong) await client.query({ text: UNLIMIT, query_timeout: this.maxStatementMs } as pg.QueryConfig);
          return this.ask<Row>(client, statement, values);
        },
      });
      await this.ask(client, COMMIT, []);
      return result;
    } catch (error) {
      // A silent connection gets no ROLLBACK; the server rolls back when the connection is closed.
      // A read-only connection leads to a former primary after a failover.
      if (isConnectionSpent(error)) broken = error as Error;
      else await client.query('ROLLBACK').catch((failed: Error) => (broken = failed));
      throw error;
    } finally {
      this.inUse--;
      client.release(broken);
    }
  }

  /** Calls `listener` each time a caller has waited too long for a connection because all were in use. @internal */
  onFullPool(listener: () => void): void {
    this.fullPool.add(listener);
  }

  /** Calls `listener` with the ctid of the row of `relation` when a statement's wait for its lock has timed out. @internal */
  onLockedRow(relation: string, listener: (ctid: string) => void): void {
    this.lockedRows.set(relation, listener);
  }

  /** Has a statement failed on a full disk lately? Only another write can find out whether there is space again. */
  get isFull(): boolean {
    return performance.now() < this.fullUntil;
  }

  /** The current use of the pool's connections. */
  get poolState(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs the pool's `onConnect` too, which sets the statement limits of the connection. */
  private async connectClient(client: pg.Client): Promise<void> {
    try {
      await client.connect();
      const { onConnect } = this.pool.options as { readonly onConnect?: (connected: pg.Client) => Promise<void> };
      await onConnect?.(client);
    } catch (error) {
      throw markNotSent(error);
    }
  }

  /** The error of a caller that got no connection; also logs it when the pool is exhausted. */
  private unconnected(error: unknown): Error {
    const isFull = isWithoutConnection(error) && this.inUse >= (this.pool.options.max ?? 0);
    if (isFull) this.logFullPool();
    return markNotSent(isFull ? new PoolExhaustedError() : error) as Error;
  }

  private logFullPool(): void {
    for (const listener of this.fullPool) listener();
    if (!this.fullPoolLog.isOver()) return;
    const { waiting } = this.poolState;
    this.log.warn(
      'database_pool_exhausted',
      { inUse: this.inUse, waiting },
      `All ${this.inUse} database connections of this process are in use; ${waiting} callers wait, and receive 503 after ten seconds`,
    );
  }

  private async ask<Row>(via: pg.ClientBase, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const sentAt = performance.now();
    try {
      return (await via.query(this.queryOf(statement, values))).rows as Row[];
    } catch (error) {
      throw this.noted(error, sentAt);
    }
  }

  private queryOf({ name, text, mayTakeLong }: Statement, values: readonly unknown[]): pg.QueryConfig {
    const query = { name, text, values: values as unknown[] };
    return mayTakeLong ? query : Object.assign(query, { query_timeout: this.maxStatementMs });
  }

  private noted<E>(error: E, sentAt: number): E {
    if (isDiskFull(error)) this.fullUntil = performance.now() + FULL_MS;
    const locked = lockedTupleIn(error);
    if (locked) this.lockedRows.get(locked.relation)?.(locked.ctid);
    return markSentAt(error, sentAt);
  }
}

/** The row of a statement that returns exactly one. */
export async function queryOne<Row>(database: Tx, statement: Statement, values?: readonly unknown[]): Promise<Row> {
  const [row] = await database.query<Row>(statement, values);
  if (row === undefined) throw new Error('A statement that returns one row has returned none');
  return row;
}

/** Changes a row by a statement that returns it, and does `also` in the same transaction. @returns false if there is no such row */
export function changeOne(
  database: Database,
  statement: Statement,
  values: readonly [id: string, ...unknown[]],
  also?: (tx: Tx, id: string) => Promise<unknown>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const isChanged = (await tx.query(statement, values)).length > 0;
    if (isChanged) await also?.(tx, values[0]);
    return isChanged;
  });
}

/** Rows of one statement, so that none is long and none holds many locks. Use it as the LIMIT. */
export const DELETED_AT_ONCE = 500;

/** Repeats a deletion that ends with `RETURNING 1` until it deletes fewer rows than its limit, `DELETED_AT_ONCE`, or the signal is aborted. */
export async function deleteInBatches(
  database: Pick<Database, 'query'>,
  statement: Statement,
  values: readonly unknown[] = [],
  signal?: AbortSignal,
): Promise<void> {
  while ((await database.query(statement, [...values])).length === DELETED_AT_ONCE && !signal?.aborted);
}
