import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Batcher, Database, sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { within } from '../../platform/kernel/within.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import type { Metrics } from '../../platform/metrics/index.js';
import type { MemoryRateLimitStore } from './memory.store.js';
import type { RateLimitPolicy } from './policies.js';
import { RateLimitStore, resultOf, type RateLimitResult } from './rate-limit-store.js';
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
/** Beyond it a call counts in memory alone. */
const MAX_WAITING = 4_096;
/** A call waits this long for the database; then the count of this process is its result. */
const MAX_WAIT_MS = 250;
const LOG_EVERY_MS = 30_000;

/**
 * Counts in the database, for all processes. One statement for all calls that arrive while another runs: it takes one connection. Every call
 * counts in this process's memory too, so that an outage gives no caller a new limit.
 */
export class PostgresRateLimitStore extends RateLimitStore {
  private readonly log = new Log('RateLimit');
  private readonly logInterval = new LogInterval(LOG_EVERY_MS);
  private readonly failures: Counter;
  private readonly batcher = new Batcher<Call, RateLimitResult>((calls) => this.count(calls), {
    max: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly memory: MemoryRateLimitStore,
    metrics: Metrics,
  ) {
    super();
    this.failures = metrics.counter('sluice_rate_limit_store_failures_total', 'Calls that the shared store of rate limits did not count');
  }

  async consume(policy: RateLimitPolicy, key: string, cost: number): Promise<RateLimitResult> {
    const local = this.memory.consumeNow(policy, key, cost);
    // The database has counted at least as many: a flood past a limit costs no statements.
    if (local.isBlocked) return local;
    const hash = createHash('sha256').update(`${policy.name}\0${key}`).digest();
    try {
      return await within(MAX_WAIT_MS, this.batcher.submit({ policy, hash, cost }), () => {
        throw new Error(`no answer within ${MAX_WAIT_MS} ms`);
      });
    } catch (error) {
      this.failures.inc();
      if (this.logInterval.isOver())
        this.log.warn(
          'rate_limit_store_failed',
          {},
          `This process counts for itself, because the database did not: ${(error as Error).message}`,
        );
      return local;
    }
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
