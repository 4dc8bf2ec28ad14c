import { Logger } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { FallbackRateLimitStore, MAX_WAIT_MS, RETRY_AFTER_MS } from './fallback.store.js';
import { MemoryRateLimitStore } from './memory.store.js';
import { RateLimitPolicies } from './policies.js';
import { RateLimitStore, resultOf, type RateLimitResult } from './rate-limit-store.js';
import { RateLimitSettings } from './rate-limit.settings.js';

const policy = { ...new RateLimitPolicies(new RateLimitSettings()).get('signInAccount'), limit: 3 };

/** Time passes only when the test turns it; the database's clock is set back meanwhile. */
class TurnedClock extends Clock {
  private time = 0;
  private readonly waiting = new Set<{ readonly at: number; readonly work: () => void }>();

  now(): number {
    return -this.time;
  }

  override elapsed(): number {
    return this.time;
  }

  timeout(delayMs: number, work: () => void): () => void {
    const timer = { at: this.time + delayMs, work };
    this.waiting.add(timer);
    return () => void this.waiting.delete(timer);
  }

  turn(ms: number): void {
    this.time += ms;
    for (const timer of [...this.waiting]) if (timer.at <= this.time && this.waiting.delete(timer)) timer.work();
  }

  get timers(): number {
    return this.waiting.size;
  }
}

/** Another process has used up `elsewhere` calls of every key. */
class SharedStore extends RateLimitStore {
  state: 'up' | 'down' | 'silent' = 'up';
  elsewhere = 0;
  calls = 0;
  private readonly counts = new Map<string, number>();

  async consume(of: typeof policy, key: string, cost: number): Promise<RateLimitResult> {
    this.calls++;
    if (this.state === 'down') throw new Error('the database is away');
    if (this.state === 'silent') return new Promise(() => undefined);
    const hits = (this.counts.get(key) ?? this.elsewhere) + cost;
    this.counts.set(key, hits);
    return resultOf(of, hits, 60_000, cost);
  }
}

beforeAll(() => Logger.overrideLogger(false));

describe('FallbackRateLimitStore', () => {
  let clock: TurnedClock;
  let shared: SharedStore;
  let metrics: Metrics;
  let store: FallbackRateLimitStore;
  beforeEach(() => {
    clock = new TurnedClock();
    shared = new SharedStore();
    metrics = new Metrics();
    store = new FallbackRateLimitStore(shared, new MemoryRateLimitStore(), clock, metrics);
  });
  const hits = async (count: number, key = 'a'): Promise<number[]> => {
    const results = [];
    for (let i = 0; i < count; i++) results.push((await store.consume(policy, key, 1)).hits);
    return results;
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('returns the shared count, and leaves no timer behind', async () => {
    shared.elsewhere = 1;
    expect(await hits(2)).toEqual([2, 3]);
    await settled();
    expect(clock.timers).toBe(0);
  });

  it('asks the shared store no more about a key past its limit until its window ends', async () => {
    await hits(10);
    expect(shared.calls).toBe(4);
    expect(await store.consume(policy, 'a', 0)).toMatchObject({ isBlocked: true, resetSeconds: 60 });
    clock.turn(59_500);
    expect(await store.consume(policy, 'a', 1)).toMatchObject({ isBlocked: true, resetSeconds: 1 });
    expect(shared.calls).toBe(4);
    clock.turn(500);
    await hits(1);
    expect(shared.calls).toBe(5);
  });

  it('counts in memory while the shared store fails, from what this process has counted before', async () => {
    expect(await hits(2)).toEqual([1, 2]);
    shared.state = 'down';
    expect(await hits(2)).toEqual([3, 4]);
    expect(await store.consume(policy, 'a', 1)).toMatchObject({ hits: 5, isBlocked: true });
    expect(shared.calls).toBe(3);
    expect(await metrics.text()).toMatch(/sluice_rate_limit_store_failures_total 1\n[^]*sluice_rate_limit_store_failed 1\n/);
  });

  it('answers from memory after MAX_WAIT_MS, and then at once', async () => {
    shared.state = 'silent';
    const first = hits(1);
    await settled();
    clock.turn(MAX_WAIT_MS);
    expect(await first).toEqual([1]);
    // Without a turn of the clock no timeout ends.
    expect(await hits(3)).toEqual([2, 3, 4]);
    expect(shared.calls).toBe(1);
  });

  it('passes on one call each RETRY_AFTER_MS, whose caller does not wait, and recovers with it', async () => {
    shared.state = 'silent';
    const first = hits(1);
    clock.turn(MAX_WAIT_MS);
    await first;
    clock.turn(RETRY_AFTER_MS);
    expect(await hits(5, 'b')).toEqual([1, 2, 3, 4, 5]);
    expect(shared.calls).toBe(2);
    clock.turn(MAX_WAIT_MS);
    await settled();
    shared.state = 'up';
    expect(await hits(1, 'c')).toEqual([1]);
    expect(shared.calls).toBe(2);
    clock.turn(RETRY_AFTER_MS);
    await hits(1, 'c');
    await settled();
    shared.elsewhere = 2;
    expect(await hits(1, 'd')).toEqual([3]);
    expect(await metrics.text()).toContain('sluice_rate_limit_store_failed 0');
  });
});
