import { createHash } from 'node:crypto';
import { Batcher, type Database, sql } from '../../platform/database/index.js';
import type { RateLimitPolicy } from './policies.js';
import { RateLimitStore, resultOf, type RateLimitResult } from './rate-limit-store.js';

interface Call {
  readonly policy: RateLimitPolicy;
  /** The hash of policy and key: rows of one size, and neither e-mails nor addresses in the table. */
  readonly hash: Buffer;
  readonly cost: number;
}

interface CountRow {
  readonly position: number;
  readonly hits: number;
  readonly leftMs: number;
}

const CONSUME = sql`SELECT position, hits, left_ms AS "leftMs" FROM rate_limit_consume($1, $2, $3)`;
const MAX_AT_ONCE = 256;
/** Beyond it a call is refused by this store, and counts in memory. */
const MAX_WAITING = 4_096;

/** Counts in the database, for all processes. One statement for all calls that arrive while another runs: it takes one connection. */
export class PostgresRateLimitStore extends RateLimitStore {
  private readonly batcher: Batcher<Call, RateLimitResult>;

  /** @param maxWaitMs when a call that is in no statement yet is dropped */
  constructor(
    private readonly database: Database,
    maxWaitMs: number,
  ) {
    super();
    const options = { max: MAX_AT_ONCE, maxWaiting: MAX_WAITING, maxWaitMs };
    this.batcher = new Batcher((calls) => this.count(calls), options);
  }

  consume(policy: RateLimitPolicy, key: string, cost: number): Promise<RateLimitResult> {
    const hash = createHash('sha256').update(`${policy.name}\0${key}`).digest();
    return this.batcher.submit({ policy, hash, cost });
  }

  private async count(calls: readonly Call[]): Promise<RateLimitResult[]> {
    const values = [calls.map(({ hash }) => hash), calls.map(({ cost }) => cost), calls.map(({ policy }) => policy.windowMs)];
    const rows = await this.database.query<CountRow>(CONSUME, values);
    const byPosition = new Map(rows.map((row) => [row.position, row]));
    return calls.map(({ policy, cost }, index) => {
      const row = byPosition.get(index + 1);
      if (!row) throw new Error('rate_limit_consume did not answer a call');
      return resultOf(policy, row.hits, row.leftMs, cost);
    });
  }
}
