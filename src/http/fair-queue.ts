/** The request that waits. */
interface Caller {
  readonly isGone: boolean;
}

export type QueueName = 'queries' | 'mutations' | 'pages' | 'documents';

/** Why a queued task was not started. */
export class NotBegun extends Error {
  constructor(
    readonly queue: QueueName,
    readonly because: 'full' | 'aged' | 'gone',
  ) {
    super(`Not begun: ${queue}, ${because}`);
  }
}

interface Waiting {
  readonly work: Caller;
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (because: NotBegun) => void;
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

interface Line {
  running: number;
  readonly waiting: Waiting[];
}

const LOOK_MS = 500;

/**
 * Limits concurrent tasks; the others wait. Each key has its own line, and the lines take turns: a caller with one task waits for at most
 * one task of every other line. Lines are bounded, and a task that is too old, or whose caller has disconnected, is not started.
 */
export class FairQueue {
  /** By key. A line with no running and no queued task is removed. */
  private readonly lines = new Map<string, Line>();
  /** Lines with queued tasks, in the order in which they are served. */
  private readonly queued = new Set<Line>();
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
   * @returns undefined when the task may start at once, else a promise that resolves at its turn, or rejects with NotBegun
   */
  enter(key: string, work: Caller): Promise<void> | undefined {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    const { atOnce, atOnceEach, max, maxEach } = this.limits;
    if (this.running < atOnce && line.running < atOnceEach) {
      this.lines.set(key, line);
      this.begin(line);
      return undefined;
    }
    if (this.waits >= max || line.waiting.length >= maxEach) return Promise.reject(new NotBegun(this.name, 'full'));
    this.lines.set(key, line);
    this.waits++;
    this.queued.add(line);
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    return new Promise((start, refuse) => line.waiting.push({ work, since: performance.now(), start, refuse }));
  }

  /** Continues a started task after a pause, even beyond the limits. */
  resume(key: string): void {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    this.begin(line);
  }

  leave(key: string): void {
    const line = this.lines.get(key);
    if (!line) return;
    line.running--;
    this.running--;
    if (this.waits > 0) this.serve();
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(key);
  }

  private begin(line: Line): void {
    line.running++;
    this.running++;
  }

  /** Gives free slots to the lines in turn. */
  private serve(): void {
    for (const line of this.queued) {
      if (this.running >= this.limits.atOnce) return;
      if (line.running >= this.limits.atOnceEach) continue;
      const next = this.next(line);
      // Moves the line to the end: a Set keeps insertion order, so this loop meets the line again.
      this.queued.delete(line);
      if (line.waiting.length > 0) this.queued.add(line);
      if (!next) continue;
      this.begin(line);
      next.start();
    }
  }

  private next(line: Line): Waiting | undefined {
    for (let first = line.waiting.shift(); first; first = line.waiting.shift()) {
      this.waits--;
      if (!this.isOver(first)) return first;
    }
    return undefined;
  }

  /** Rejects tasks that have waited too long, even while no task ends. */
  private look(): void {
    for (const [key, line] of this.lines) {
      const left = line.waiting.filter((each) => !this.isOver(each));
      this.waits -= line.waiting.length - left.length;
      line.waiting.splice(0, line.waiting.length, ...left);
      if (left.length === 0) this.queued.delete(line);
      if (line.running === 0 && left.length === 0) this.lines.delete(key);
    }
    if (this.waits > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private isOver({ work, since, refuse }: Waiting): boolean {
    const because = work.isGone ? 'gone' : performance.now() - since > this.limits.agedMs ? 'aged' : undefined;
    if (because) refuse(new NotBegun(this.name, because));
    return because !== undefined;
  }
}
