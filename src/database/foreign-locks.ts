import { BoundedMap } from '../kernel/bounded-map.js';

/** Transactions of ours hold a row for milliseconds. What is found locked again and again for so long is held by another session. */
const FOREIGN_MS = 2_000;
/** Longer than the pauses after which what is locked is asked about again. */
const WARY_MS = 10_000;
const MOST_KEPT = 10_000;

/** What is known of rows that other sessions hold: while there are such rows, statements had better not wait for locks. */
export class ForeignLocks {
  private readonly lockedSince = new BoundedMap<string, number>(MOST_KEPT);
  private waryUntil = -Infinity;

  get areLikely(): boolean {
    return performance.now() < this.waryUntil;
  }

  /** A statement has waited for a lock for longer than a statement may. */
  timedOut(): void {
    this.waryUntil = performance.now() + WARY_MS;
  }

  /**
   * Something was found locked.
   * @param since when that was first seen, if it was seen for a while
   * @returns whether another session holds it
   */
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
