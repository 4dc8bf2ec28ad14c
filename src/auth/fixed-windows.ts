import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Rate } from '../config/index.js';
import { BoundedMap } from '../kernel/bounded-map.js';

export type Hit = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Window {
  hits: number;
  readonly endsAt: number;
}

/** A window takes about 250 bytes, some for an hour: without a limit, the addresses of one IPv6 network could fill the memory. */
export const MAX_WINDOWS = 250_000;

/** Fixed windows, O(1) per hit: one map per bucket, ordered by end. Expired ones leave from the front; above the limit, the oldest. */
@Injectable()
export class FixedWindows implements ThrottlerStorage {
  private readonly byBucket = new Map<string, BoundedMap<string, Window>>();

  /** @param calls how many calls this one counts as. 0: does not count, and is blocked if the next call would be */
  hit(bucket: string, key: string, { limit, windowMs }: Rate, calls = 1): Hit {
    const now = Date.now();
    const windows = this.windowsOf(bucket);
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      for (const [old, { endsAt }] of windows) {
        if (endsAt > now) break;
        windows.delete(old);
      }
      window = { hits: 0, endsAt: now + windowMs };
      if (calls > 0) windows.set(key, window);
    }
    window.hits += calls;
    const timeToExpire = Math.ceil((window.endsAt - now) / 1000);
    const isBlocked = calls > 0 ? window.hits > limit : window.hits >= limit;
    return { totalHits: window.hits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire };
  }

  /** The interface of @nestjs/throttler. */
  async increment(key: string, ttl: number, limit: number, _blockMs: number, bucket: string): Promise<Hit> {
    return this.hit(bucket, key, { limit, windowMs: ttl });
  }

  private windowsOf(bucket: string): BoundedMap<string, Window> {
    let windows = this.byBucket.get(bucket);
    if (!windows) this.byBucket.set(bucket, (windows = new BoundedMap<string, Window>(MAX_WINDOWS)));
    return windows;
  }
}
