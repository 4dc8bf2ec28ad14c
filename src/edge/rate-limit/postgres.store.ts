import { createHash } from 'node:crypto';
import { Batcher, Database, sql } from '../../platform/database/index.js';
import type { RateLimitPolicy } from './policies.js';
import { RateLimitStore, resultOf, type RateLimitResult } from './rate-limit-store.js';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Events } from '../../platform/events/index.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { RateLimitSettings } from './rate-limit.settings.js';

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

/** Rows of the shared store, about 150 bytes each. */
const MAX_SHARED_WINDOWS = 1_000_000;
const PURGE_AT_ONCE = 5_000;
const PURGE_EVERY_MS = 30_000;
const LIMIT_MS = 60_000;
const PURGE = sql`SELECT rate_limit_purge(${MAX_SHARED_WINDOWS}, ${PURGE_AT_ONCE}) AS purged`;

@Injectable()
export class WindowPurge implements OnApplicationBootstrap {
  private readonly log = new Log('RateLimit');

  constructor(
    private readonly database: Database,
    private readonly settings: RateLimitSettings,
    private readonly events: Events,
    loops: Loops,
  ) {
    if (settings.RATE_LIMIT_STORE !== 'postgres') return;
    loops.run({
      name: 'rate_limit_purge',
      pauseMs: PURGE_EVERY_MS,
      limitMs: LIMIT_MS,
      round: (signal) => this.purge(signal),
      onFailure: ({ message }) =>
        this.log.warn('rate_limit_purge_failed', {}, `Could not delete windows of rate limits that have ended: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    const { processes } = this.events;
    if (processes > 1 && this.settings.RATE_LIMIT_STORE === 'memory')
      this.log.warn(
        'rate_limit_not_shared',
        { processes },
        `${processes} processes use this database, and each counts wrong passwords for itself. Set RATE_LIMIT_STORE=postgres to count them together`,
      );
  }

  private async purge(signal: AbortSignal): Promise<void> {
    for (let purged = PURGE_AT_ONCE; purged === PURGE_AT_ONCE && !signal.aborted;)
      purged = (await this.database.query<{ purged: number }>(PURGE))[0]?.purged ?? 0;
  }
}
