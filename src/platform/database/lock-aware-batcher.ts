import { setTimeout as delay } from 'node:timers/promises';
import { Batcher, type BatcherOptions } from './batcher.js';
import { isLockTimeout } from './pg-errors.js';
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

interface LockAwareBatcherOptions<Item, Outcome> extends BatcherOptions<Item> {
  /** Asks the database, without waiting, which items need what another transaction has locked. */
  readonly locked: (batch: readonly Item[]) => Promise<readonly boolean[]>;
  readonly lockedOutcome: (item: Item) => Outcome;
  readonly keyOf: (item: Item) => string;
  /** A locked item is retried after each of these pauses, and then reported as locked. */
  readonly pausesMs?: readonly number[];
}

const BATCHES_AT_ONCE = 4;

/**
 * Batches in which one locked row does not hold up the other items. They wait for locks by default. When one reaches its lock timeout,
 * each batch asks for a while what is locked before it is run: locked items are reported as such, and the others proceed. Then batches
 * lock each other's rows too, so only a row that stays locked prolongs that state.
 */
export class LockAwareBatcher<Item, Outcome> {
  private readonly batcher: Batcher<Item, Outcome | undefined>;
  private readonly foreign = new ForeignLocks();

  constructor(
    private readonly run: (batch: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly options: LockAwareBatcherOptions<Item, Outcome>,
  ) {
    // A batch asks or not by what is known when it is run, not when its items arrived: they may have waited for a batch that was stuck.
    const runBatch: typeof this.runFree = (batch) => (this.foreign.areLikely ? this.runFree(batch) : run(batch));
    this.batcher = new Batcher(runBatch, { workers: BATCHES_AT_ONCE, ...options });
  }

  get waiting(): number {
    return this.batcher.waiting;
  }

  get ageMs(): number {
    return this.batcher.ageMs;
  }

  async submit(item: Item): Promise<Outcome> {
    const { keyOf, lockedOutcome, pausesMs = [] } = this.options;
    const since = performance.now();
    let outcome = await this.tried(item);
    for (const pause of pausesMs) {
      if (outcome !== undefined) break;
      await delay(pause);
      outcome = await this.tried(item);
    }
    if (outcome === undefined) this.foreign.found(keyOf(item), since);
    else this.foreign.gone(keyOf(item));
    return outcome ?? lockedOutcome(item);
  }

  /** Undefined if the item is locked. An item of a batch that reached its lock timeout is sent again, in a batch that asks. */
  private async tried(item: Item): Promise<Outcome | undefined> {
    try {
      return await this.batcher.submit(item);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      this.foreign.timedOut();
      return this.batcher.submit(item);
    }
  }

  private async runFree(batch: readonly Item[]): Promise<readonly (Outcome | undefined)[]> {
    const locked = await this.options.locked(batch);
    const free = batch.filter((_item, index) => !locked[index]);
    const outcomes = free.length > 0 ? await this.run(free) : [];
    let next = 0;
    return batch.map((_item, index) => (locked[index] ? undefined : outcomes[next++]));
  }
}
