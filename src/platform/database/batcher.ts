import { madeOnce } from '../kernel/made-once.js';
import { isRetriable } from './pg-errors.js';

interface QueuedItem<Item, Outcome> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions<Item> {
  readonly max?: number;
  /** Concurrent batches. A second one starts only when the first has taken so long that it may be stuck: batches stay large. */
  readonly workers?: number;
  /** Queue limit: beyond it `submit` rejects. */
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /** Called for each item before its batch is sent: true when its caller does not want it any more. */
  readonly isDropped?: (item: Item) => boolean;
}

/** The item was in no batch: the queue was full, it waited too long, or its caller does not want it any more. */
export class NotBatchedError extends Error {
  constructor(readonly reason: 'full' | 'late' | 'dropped') {
    super(`A batch did not take an item: ${reason}`);
  }
}

const MAX_BATCH = 128;
const MAX_ATTEMPTS = 4;
const STUCK_AFTER_MS = 250;

/**
 * Natural batching: calls made during a batch are queued, and the next batch takes them all. No call waits for a batch to fill.
 * `run` returns one outcome per item, in order. When it throws, every caller of that batch gets the error; only a deadlock or a
 * serialization failure is retried.
 */
export class Batcher<Item, Outcome> {
  private readonly queue: QueuedItem<Item, Outcome>[] = [];
  private readonly inFlight = new Set<{ readonly since: number }>();
  private workers = 0;
  private stuck = 0;
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: (batch: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly options: BatcherOptions<Item> = {},
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  /** Age of the oldest item, waiting or in a batch. */
  get ageMs(): number {
    const oldest = Math.min(this.queue[0]?.since ?? Infinity, ...[...this.inFlight].map(({ since }) => since));
    return oldest === Infinity ? 0 : performance.now() - oldest;
  }

  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.queue.length >= (this.options.maxWaiting ?? Infinity)) return reject(new NotBatchedError('full'));
      this.queue.push({ item, since: performance.now(), resolve, reject });
      this.addWorker();
    });
  }

  /** One worker, and one more while all are stuck. */
  private addWorker(): void {
    if (this.workers > this.stuck) return;
    if (this.workers >= (this.options.workers ?? 1)) return this.sweepLater();
    this.workers++;
    // Wait one turn of the event loop: requests that arrived in the same read share a batch.
    setImmediate(() => void this.drain());
  }

  private async drain(): Promise<void> {
    for (let batch = this.take(); batch.length > 0; batch = this.take()) {
      await this.carryOut(batch);
      // A caller that was just answered may submit again: its item joins the next batch, not the one after.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.workers - this.stuck > 1) break;
    }
    this.workers--;
    if (this.queue.length > 0) this.addWorker();
  }

  private async carryOut(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    const flight = { since: performance.now() };
    this.inFlight.add(flight);
    let isStuck = false;
    const timer = setTimeout(() => {
      isStuck = true;
      this.stuck++;
      if (this.queue.length > 0) this.addWorker();
    }, STUCK_AFTER_MS);
    try {
      const outcomes = await this.runWithRetries(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) =>
        index < outcomes.length ? resolve(outcomes[index] as Outcome) : reject(new Error('A batch answered too few outcomes')),
      );
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    } finally {
      clearTimeout(timer);
      if (isStuck) this.stuck--;
      this.inFlight.delete(flight);
    }
  }

  private take(): QueuedItem<Item, Outcome>[] {
    this.sweep();
    const { max = MAX_BATCH, isDropped } = this.options;
    for (;;) {
      const taken = this.queue.splice(0, max);
      if (!isDropped) return taken;
      const wanted = taken.filter(({ item }) => !isDropped(item));
      const dropped = wanted.length < taken.length ? taken.filter((each) => !wanted.includes(each)) : [];
      for (const { reject } of dropped) reject(new NotBatchedError('dropped'));
      if (wanted.length > 0 || taken.length === 0) return wanted;
    }
  }

  /** The queue is in order of arrival, oldest first. */
  private sweep(): void {
    const { maxWaitMs = Infinity } = this.options;
    while (this.queue[0] && performance.now() - this.queue[0].since > maxWaitMs) this.queue.shift()?.reject(new NotBatchedError('late'));
  }

  /** While no worker takes items, items that have waited too long are rejected all the same. */
  private sweepLater(): void {
    if (this.options.maxWaitMs === undefined) return;
    this.sweeper ??= setTimeout(() => {
      this.sweeper = undefined;
      this.sweep();
      if (this.queue.length > 0) this.sweepLater();
    }, STUCK_AFTER_MS).unref();
  }

  private async runWithRetries(items: readonly Item[]): Promise<readonly Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.run(items);
      } catch (error) {
        if (!isRetriable(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/**
 * Reads rows by key, many per statement: calls made while a statement runs are answered by the next one, and calls for the same key share
 * its row. So a caller that asks for its own row has at most one key waiting, and no row was read before its call.
 */
export class BatchLoader<Row> {
  private readonly waiting = new Map<string, Promise<Row>>();
  private readonly batcher: Batcher<string, Row>;

  constructor(loadAll: (keys: readonly string[]) => Promise<readonly Row[]>) {
    this.batcher = new Batcher((keys) => {
      for (const key of keys) this.waiting.delete(key);
      return loadAll(keys);
    });
  }

  load(key: string): Promise<Row> {
    return madeOnce(this.waiting, key, () => this.batcher.submit(key));
  }
}
