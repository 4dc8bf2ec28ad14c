import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Rate } from '../config/index.js';

export type Hit = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Window {
  hits: number;
  readonly endsAt: number;
}

/** Fixed windows, O(1) a hit: one map per window length, in the order in which the windows end, so that dead ones leave from the front. */
@Injectable()
export class FixedWindows implements ThrottlerStorage {
  private readonly byLength = new Map<number, Map<string, Window>>();

  /** @param calls as how many calls this one counts */
  hit(key: string, rate: Rate, calls = 1): Hit {
    return this.count(key, rate, calls);
  }

  /** What `hit` would have answered had it not counted: is this key used up already? */
  peek(key: string, rate: Rate): Hit {
    return this.count(key, rate, 0);
  }

  /** The port of @nestjs/throttler. */
  async increment(key: string, ttl: number, limit: number): Promise<Hit> {
    return this.hit(key, { limit, windowMs: ttl });
  }

  private count(key: string, { limit, windowMs }: Rate, by: number): Hit {
    const now = Date.now();
    const windows = this.windowsOf(windowMs);
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

  private windowsOf(windowMs: number): Map<string, Window> {
    let windows = this.byLength.get(windowMs);
    if (!windows) this.byLength.set(windowMs, (windows = new Map<string, Window>()));
    return windows;
  }
}
