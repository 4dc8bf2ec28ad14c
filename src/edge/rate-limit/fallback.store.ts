import type { Counter } from 'prom-client';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import type { Clock } from '../../platform/kernel/clock.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import type { Metrics } from '../../platform/metrics/index.js';
import type { MemoryRateLimitStore } from './memory.store.js';
import type { RateLimitPolicy } from './policies.js';
import { RateLimitStore, type RateLimitResult } from './rate-limit-store.js';

/** A call waits this long for the shared store; then the count of this process is its result. */
export const MAX_WAIT_MS = 250;
/** After a failure no call waits for the shared store for this long. */
export const RETRY_AFTER_MS = 5_000;
const LOG_EVERY_MS = 30_000;
const MAX_USED_UP = 10_000;

/**
 * Every call counts in this process's memory too, so that an outage gives no caller a new limit. A failure opens the circuit: until
 * RETRY_AFTER_MS later no call waits; the next call is passed on while the memory answers it, and closes the circuit if it succeeds.
 */
export class FallbackRateLimitStore extends RateLimitStore {
  private readonly log = new Log('RateLimit');
  private readonly logInterval = new LogInterval(LOG_EVERY_MS);
  private readonly failures: Counter;
  /** The ends of windows that are used up: a flood past a limit costs no statements. */
  private readonly usedUp = new BoundedMap<string, number>(MAX_USED_UP);
  /** The time of the next attempt while the circuit is open. */
  private retryAt: number | undefined;

  constructor(
    private readonly shared: RateLimitStore,
    private readonly memory: MemoryRateLimitStore,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    this.failures = metrics.counter('sluice_rate_limit_store_failures_total', 'Calls that the shared store of rate limits did not count');
    metrics.gauge(
      'sluice_rate_limit_store_failed',
      '1 while the shared store of rate limits fails and each process counts for itself',
      () => Number(this.retryAt !== undefined),
    );
  }

  async consume(policy: RateLimitPolicy, key: string, cost: number): Promise<RateLimitResult> {
    const local = this.memory.consumeNow(policy, key, cost);
    const name = `${policy.name} ${key}`;
    const leftMs = (this.usedUp.get(name) ?? 0) - this.clock.elapsed();
    if (leftMs > 0) return { policy, hits: policy.limit + 1, isBlocked: true, resetSeconds: Math.ceil(leftMs / 1000) };
    if (this.retryAt !== undefined) {
      this.probe(policy, key, cost);
      return local;
    }
    try {
      const result = await this.inTime(this.shared.consume(policy, key, cost));
      if (result.isBlocked) this.usedUp.set(name, this.clock.elapsed() + result.resetSeconds * 1000);
      return result;
    } catch (error) {
      this.failed(error as Error);
      return local;
    }
  }

  private probe(policy: RateLimitPolicy, key: string, cost: number): void {
    if (this.retryAt === undefined || this.clock.elapsed() < this.retryAt) return;
    this.retryAt = this.clock.elapsed() + RETRY_AFTER_MS;
    this.inTime(this.shared.consume(policy, key, cost)).then(
      () => this.recovered(),
      (error: Error) => this.failed(error),
    );
  }

  private failed({ message }: Error): void {
    this.failures.inc();
    this.retryAt = this.clock.elapsed() + RETRY_AFTER_MS;
    if (!this.logInterval.isOver()) return;
    this.log.warn('rate_limit_store_failed', {}, `The shared store of rate limits failed, so this process counts for itself: ${message}`);
  }

  private recovered(): void {
    if (this.retryAt === undefined) return;
    this.retryAt = undefined;
    this.log.info('rate_limit_store_recovered', {}, 'The shared store of rate limits counts again');
  }

  private inTime(answer: Promise<RateLimitResult>): Promise<RateLimitResult> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`no answer within ${MAX_WAIT_MS} ms`));
      const cancel = this.clock.timeout(MAX_WAIT_MS, late);
      answer.then(resolve, reject).finally(cancel);
    });
  }
}
