import { Injectable } from '@nestjs/common';
import { madeOnce } from '../../platform/kernel/made-once.js';
import type { RateLimitPolicy } from './policies.js';
import { RateLimitStore, resultOf, type RateLimitResult } from './rate-limit-store.js';

/** A window takes about 250 bytes, some for an hour: without a limit, the addresses of one IPv6 network could fill the memory. */
export const MAX_WINDOWS = 250_000;
/** The list of windows is copied when this many at its front have left, and they are half of it. */
const COMPACT_AT = 1_024;

interface Window {
  readonly key: string;
  hits: number;
  readonly endsAt: number;
}

/**
 * A list stands apart from the map, because a map from whose front entries were deleted is slow to find its first one: with 250,000
 * windows 77 microseconds for each new key.
 */
class PolicyWindows {
  private readonly byKey = new Map<string, Window>();
  private inOrder: Window[] = [];
  private first = 0;

  find(key: string, now: number): Window | undefined {
    const window = this.byKey.get(key);
    return window && window.endsAt > now ? window : undefined;
  }

  begin(key: string, now: number, windowMs: number): Window {
    for (let oldest = this.inOrder[this.first]; oldest; oldest = this.inOrder[this.first]) {
      if (oldest.endsAt > now && this.byKey.size < MAX_WINDOWS) break;
      this.first++;
      if (this.byKey.get(oldest.key) === oldest) this.byKey.delete(oldest.key);
    }
    if (this.first >= COMPACT_AT && this.first * 2 >= this.inOrder.length) {
      this.inOrder = this.inOrder.slice(this.first);
      this.first = 0;
    }
    const window = { key, hits: 0, endsAt: now + windowMs };
    this.byKey.set(key, window);
    this.inOrder.push(window);
    return window;
  }
}

/** Counts in this process: fixed windows, O(1) per call, at most MAX_WINDOWS for each policy. Above the limit, the oldest are dropped. */
@Injectable()
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly byPolicy = new Map<string, PolicyWindows>();

  async consume(policy: RateLimitPolicy, key: string, cost: number): Promise<RateLimitResult> {
    return this.consumeNow(policy, key, cost);
  }

  /** Does without a promise, because three policies count every request. */
  consumeNow(policy: RateLimitPolicy, key: string, cost: number): RateLimitResult {
    const now = Date.now();
    const windows = madeOnce(this.byPolicy, policy.name, () => new PolicyWindows());
    let window = windows.find(key, now);
    if (!window) {
      if (cost === 0) return resultOf(policy, 0, policy.windowMs, cost);
      window = windows.begin(key, now, policy.windowMs);
    }
    window.hits += cost;
    return resultOf(policy, window.hits, window.endsAt - now, cost);
  }
}
