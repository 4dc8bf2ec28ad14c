interface WaitingCaller {
  readonly isGone: boolean;
}

export type QueueName = 'database' | 'thread' | 'hashes' | 'known_hashes' | 'factor_codes' | 'files';

export class TurnRefusedError extends Error {
  constructor(
    readonly queue: QueueName,
    readonly because: 'full' | 'aged' | 'gone',
  ) {
    super(`Not begun: ${queue}, ${because}`);
  }
}

export interface Turn {
  readonly end: () => void;
}

export interface QueueLimits {
  readonly atOnce: number;
  readonly atOnceEach?: number;
  /** For work of the processor: a turn ends after one pass of the event loop, also if the work continues elsewhere. */
  readonly endsWithPass?: boolean;
}

interface WaitingTask {
  readonly caller: WaitingCaller;
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (because: TurnRefusedError) => void;
}

interface KeyQueue {
  running: number;
  readonly waiting: WaitingTask[];
}

const LOOK_MS = 500;
/** A task that has waited for `ageMs` is rejected. */
export const QUEUE_LIMITS = { waiting: 10_000, waitingEach: 1_000, ageMs: 10_000 };
const HERE: WaitingCaller = { isGone: false };

/**
 * The only class that makes callers wait; one instance stands before each scarce resource. The keys' queues take turns: a caller with one
 * task waits for at most one of every other key. A holder of a turn must not wait for a turn of another instance.
 */
export class FairQueue {
  private readonly byKey = new Map<string, KeyQueue>();
  /** The set keeps the order in which queues are served. */
  private readonly queued = new Set<KeyQueue>();
  private readonly limits: Required<QueueLimits> & typeof QUEUE_LIMITS;
  private running = 0;
  private waits = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly name: QueueName,
    limits: QueueLimits,
  ) {
    this.limits = { atOnceEach: limits.atOnce, endsWithPass: false, ...QUEUE_LIMITS, ...limits };
  }

  get length(): number {
    return this.waits;
  }

  /** Runs at once, or in the key's turn: the promise rejects with TurnRefusedError if the turn does not come. */
  run<T>(key: string, work: () => T | Promise<T>, caller: WaitingCaller = HERE): T | Promise<T> {
    const turn = this.take(key, caller);
    return turn ? turn.then(() => this.hold(key, work)) : this.hold(key, work);
  }

  enter(key: string, caller: WaitingCaller = HERE): Turn | Promise<Turn> {
    const turn = this.take(key, caller);
    return turn ? turn.then(() => this.turnOf(key)) : this.turnOf(key);
  }

  private hold<T>(key: string, work: () => T | Promise<T>): T | Promise<T> {
    const leave = (): void => this.leave(key);
    if (this.limits.endsWithPass) {
      setImmediate(leave);
      return work();
    }
    let result: T | Promise<T>;
    try {
      result = work();
    } catch (error) {
      leave();
      throw error;
    }
    if (result instanceof Promise) result.then(leave, leave);
    else leave();
    return result;
  }

  private turnOf(key: string): Turn {
    let hasEnded = false;
    return {
      end: () => {
        if (!hasEnded) this.leave(key);
        hasEnded = true;
      },
    };
  }

  /** @returns undefined when the task has begun, else a promise of its turn */
  private take(key: string, caller: WaitingCaller): Promise<void> | undefined {
    const queue = this.byKey.get(key) ?? { running: 0, waiting: [] };
    const { atOnce, atOnceEach, waiting, waitingEach } = this.limits;
    if (this.running < atOnce && queue.running < atOnceEach) {
      this.byKey.set(key, queue);
      this.begin(queue);
      return undefined;
    }
    if (this.waits >= waiting || queue.waiting.length >= waitingEach) return Promise.reject(new TurnRefusedError(this.name, 'full'));
    this.byKey.set(key, queue);
    this.waits++;
    this.queued.add(queue);
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    return new Promise((start, refuse) => queue.waiting.push({ caller, since: performance.now(), start, refuse }));
  }

  private begin(queue: KeyQueue): void {
    queue.running++;
    this.running++;
  }

  private leave(key: string): void {
    const queue = this.byKey.get(key);
    if (!queue) return;
    queue.running--;
    this.running--;
    if (this.waits > 0) this.serve();
    if (queue.running === 0 && queue.waiting.length === 0) this.byKey.delete(key);
  }

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

  private next(queue: KeyQueue): WaitingTask | undefined {
    for (let first = queue.waiting.shift(); first; first = queue.waiting.shift()) {
      this.waits--;
      if (!this.isOver(first)) return first;
    }
    return undefined;
  }

  /** Tasks that have waited too long are rejected even while no task ends. */
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

  private isOver({ caller, since, refuse }: WaitingTask): boolean {
    const because = caller.isGone ? 'gone' : performance.now() - since > this.limits.ageMs ? 'aged' : undefined;
    if (because) refuse(new TurnRefusedError(this.name, because));
    return because !== undefined;
  }
}
