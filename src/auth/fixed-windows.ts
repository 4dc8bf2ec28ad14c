import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Rate } from '../config/index.js';
import { BoundedMap } from '../kernel/bounded-map.js';

export type Hit = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Window {
  hits: number;
  readonly endsAt: number;
}

/** A window takes about 250 bytes, and some last for an hour: an IPv6 network has more addresses than a process has memory. */
export const MOST_WINDOWS = 250_000;

/** Fixed windows, O(1) a hit: one map a bucket, in the order in which the windows end, so that dead ones leave from the front, and where there are too many, the oldest. */
@Injectable()
export class FixedWindows implements ThrottlerStorage {
  private readonly byBucket = new Map<string, BoundedMap<string, Window>>();

  /** @param calls as how many calls this one counts */
  hit(bucket: string, key: string, rate: Rate, calls = 1): Hit {
    return this.count(bucket, key, rate, calls);
  }

  /** What `hit` would have answered had it not counted: is this key used up already? */
  peek(bucket: string, key: string, rate: Rate): Hit {
    return this.count(bucket, key, rate, 0);
  }

  /** The port of @nestjs/throttler. */
  async increment(key: string, ttl: number, limit: number, _blockMs: number, bucket: string): Promise<Hit> {
    return this.hit(bucket, key, { limit, windowMs: ttl });
  }

  private count(bucket: string, key: string, { limit, windowMs }: Rate, by: number): Hit {
    const now = Date.now();
    const windows = this.windowsOf(bucket);
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      for (const [old, { endsAt }] of windows) {
        if (endsAt > now) break;
        windows.delete(old);
      }
      window = { hits: 0, endsAt: now + windowMs };
      if (by > 0) windows.set(key, window);
    }
    window.hits += by;
    const timeToExpire = Math.ceil((window.endsAt - now) / 1000);
    const isBlocked = by > 0 ? window.hits > limit : window.hits >= limit;
    return { totalHits: window.hits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire };
  }

  private windowsOf(bucket: string): BoundedMap<string, Window> {
    let windows = this.byBucket.get(bucket);
    if (!windows) this.byBucket.set(bucket, (windows = new BoundedMap<string, Window>(MOST_WINDOWS)));
    return windows;
  }
}
