import { BoundedMap } from '../kernel/bounded-map.js';

/** Sluice's transactions hold a row for milliseconds. A row that stays locked for this long is held by another session. */
const FOREIGN_MS = 2_000;
/** Longer than the pauses between retries of a locked row. */
const WARY_MS = 10_000;
const MAX_KEPT = 10_000;

/** Tracks rows that other sessions hold: while there are such rows, statements should not wait for locks. */
export class ForeignLocks {
  private readonly lockedSince = new BoundedMap<string, number>(MAX_KEPT);
  private waryUntil = -Infinity;

  get areLikely(): boolean {
    return performance.now() < this.waryUntil;
  }

  timedOut(): void {
    this.waryUntil = performance.now() + WARY_MS;
  }

  /** @param since when the caller first saw the lock, if before now. @returns whether another session holds it */
  found(key: string, since = performance.now()): boolean {
    const first = Math.min(since, this.lockedSince.get(key) ?? Infinity);
    this.lockedSince.set(key, first);
    const isForeign = performance.now() - first >= FOREIGN_MS;
    if (isForeign) this.timedOut();
    return isForeign;
  }

  gone(key: string): void {
    this.lockedSince.delete(key);
  }
}
