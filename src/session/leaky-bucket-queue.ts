import type { Clock } from '../kernel/clock.js';

export interface LeakyBucketOptions {
  /** Between two turns of one key. */
  readonly everyMs: number;
  /** Maximum of waiting callers, per key and in all. */
  readonly waiting: number;
  readonly waitingInAll: number;
}

interface WaitingCaller {
  readonly isGone: () => boolean;
  readonly resolve: (hasTurn: boolean) => void;
}

/**
 * One turn per interval for each key; other callers wait in a short queue. It lets callers who share an address with an attacker still get
 * a turn after the limit is used up.
 */
export class LeakyBucketQueue {
  /** Keys whose last turn is within the interval, with their waiting callers. */
  private readonly queues = new Map<string, WaitingCaller[]>();
  private readonly timers = new Set<() => void>();
  private total = 0;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: LeakyBucketOptions,
  ) {}

  get waiting(): number {
    return this.total;
  }

  /**
   * @param isGone asked when the turn comes: if the caller has disconnected, the next one is served
   * @returns whether the caller gets a turn; false: too many wait, the caller has disconnected, or the process stops
   */
  take(key: string, isGone: () => boolean): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    const queue = this.queues.get(key);
    if (!queue) {
      this.begin(key, []);
      return Promise.resolve(true);
    }
    const isFull = queue.length >= this.options.waiting || this.total >= this.options.waitingInAll;
    if (isFull && !this.dropGone(queue)) return Promise.resolve(false);
    this.total++;
    return new Promise((resolve) => queue.push({ isGone, resolve }));
  }

  /** Refuses all waiting callers: a process that stops does not wait for them. */
  close(): void {
    this.isClosed = true;
    for (const cancel of this.timers) cancel();
    for (const { resolve } of [...this.queues.values()].flat()) resolve(false);
    this.timers.clear();
    this.queues.clear();
    this.total = 0;
  }

  private begin(key: string, queue: WaitingCaller[]): void {
    this.queues.set(key, queue);
    const cancel = this.clock.timeout(this.options.everyMs, () => {
      this.timers.delete(cancel);
      this.next(key, queue);
    });
    this.timers.add(cancel);
  }

  private next(key: string, queue: WaitingCaller[]): void {
    this.dropGone(queue);
    const first = queue.shift();
    if (!first) return void this.queues.delete(key);
    this.total--;
    first.resolve(true);
    this.begin(key, queue);
  }

  /** @returns whether a caller in this queue had disconnected */
  private dropGone(queue: WaitingCaller[]): boolean {
    const stay = queue.filter(({ isGone }) => !isGone());
    const gone = queue.filter((each) => !stay.includes(each));
    queue.splice(0, queue.length, ...stay);
    this.total -= gone.length;
    for (const { resolve } of gone) resolve(false);
    return gone.length > 0;
  }
}
