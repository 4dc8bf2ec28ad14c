/** The request that waits. */
interface QueuedWork {
  readonly isGone: boolean;
}

export type QueueName = 'queries' | 'mutations' | 'pages' | 'documents' | 'events' | 'files' | 'downloads';

/** Why a queued task was not started. */
export class TurnRefusedError extends Error {
  constructor(
    readonly queue: QueueName,
    readonly because: 'full' | 'aged' | 'gone',
  ) {
    super(`Not begun: ${queue}, ${because}`);
  }
}

interface QueuedTask {
  readonly work: QueuedWork;
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (because: TurnRefusedError) => void;
}

interface QueueLimits {
  /** Maximum of concurrent tasks … */
  readonly atOnce: number;
  /** … and of one key. */
  readonly atOnceEach: number;
  /** Maximum of queued tasks … */
  readonly max: number;
  /** … and of one key. */
  readonly maxEach: number;
  /** A task that has waited for this long is rejected. */
  readonly agedMs: number;
}

interface KeyQueue {
  running: number;
  readonly waiting: QueuedTask[];
}

const LOOK_MS = 500;

/**
 * Limits concurrent tasks; the others wait. Each key has its own queue, and the queues take turns: a caller with one task waits for at most
 * one of every other queue. Unlike `FairSemaphore` (user) it bounds queues, and starts no task that is too old or whose caller has gone.
 */
export class FairQueue {
  /** By key. A queue with no running and no queued task is removed. */
  private readonly byKey = new Map<string, KeyQueue>();
  /** Queues with waiting tasks, in the order in which they are served. */
  private readonly queued = new Set<KeyQueue>();
  private running = 0;
  private waits = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly name: QueueName,
    private readonly limits: QueueLimits,
  ) {}

  get length(): number {
    return this.waits;
  }

  /**
   * The caller must call `leave` when its task is done.
   * @returns undefined when the task may start at once, else a promise that resolves at its turn, or rejects with TurnRefusedError
   */
  enter(key: string, work: QueuedWork): Promise<void> | undefined {
    const queue = this.byKey.get(key) ?? { running: 0, waiting: [] };
    const { atOnce, atOnceEach, max, maxEach } = this.limits;
    if (this.running < atOnce && queue.running < atOnceEach) {
      this.byKey.set(key, queue);
      this.begin(queue);
      return undefined;
    }
    if (this.waits >= max || queue.waiting.length >= maxEach) return Promise.reject(new TurnRefusedError(this.name, 'full'));
    this.byKey.set(key, queue);
    this.waits++;
    this.queued.add(queue);
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    return new Promise((start, refuse) => queue.waiting.push({ work, since: performance.now(), start, refuse }));
  }

  /** Continues a started task after a pause, even beyond the limits. */
  resume(key: string): void {
    const queue = this.byKey.get(key) ?? { running: 0, waiting: [] };
    this.byKey.set(key, queue);
    this.begin(queue);
  }

  leave(key: string): void {
    const queue = this.byKey.get(key);
    if (!queue) return;
    queue.running--;
    this.running--;
    if (this.waits > 0) this.serve();
    if (queue.running === 0 && queue.waiting.length === 0) this.byKey.delete(key);
  }

  private begin(queue: KeyQueue): void {
    queue.running++;
    this.running++;
  }

  /** Gives free slots to the queues in turn. */
  private serve(): void {
    for (const queue of this.queued) {
      if (this.running >= this.limits.atOnce) return;
      if (queue.running >= this.limits.atOnceEach) continue;
      const next = this.next(queue);
      // Moves the queue to the end: a Set keeps insertion order, so this loop meets the queue again.
      this.queued.delete(queue);
      if (queue.waiting.length > 0) this.queued.add(queue);
      if (!next) continue;
      this.begin(queue);
      next.start();
    }
  }

  private next(queue: KeyQueue): QueuedTask | undefined {
    for (let first = queue.waiting.shift(); first; first = queue.waiting.shift()) {
      this.waits--;
      if (!this.isOver(first)) return first;
    }
    return undefined;
  }

  /** Rejects tasks that have waited too long, even while no task ends. */
  private look(): void {
    for (const [key, queue] of this.byKey) {
      const left = queue.waiting.filter((each) => !this.isOver(each));
      this.waits -= queue.waiting.length - left.length;
      queue.waiting.splice(0, queue.waiting.length, ...left);
      if (left.length === 0) this.queued.delete(queue);
      if (queue.running === 0 && left.length === 0) this.byKey.delete(key);
    }
    if (this.waits > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private isOver({ work, since, refuse }: QueuedTask): boolean {
    const because = work.isGone ? 'gone' : performance.now() - since > this.limits.agedMs ? 'aged' : undefined;
    if (because) refuse(new TurnRefusedError(this.name, because));
    return because !== undefined;
  }
}
