/** Who waits. */
interface Caller {
  readonly isGone: boolean;
}

export type QueueName = 'queries' | 'mutations' | 'pages' | 'documents';

/** Why something that waited was not begun. */
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
  /** So many run at once … */
  readonly atOnce: number;
  /** … and of one key no more than this. */
  readonly atOnceEach: number;
  /** So many may wait … */
  readonly most: number;
  /** … and of one key no more than this. */
  readonly mostEach: number;
  /** What has waited for so long is given up. */
  readonly agedMs: number;
}

interface Line {
  running: number;
  readonly waiting: Waiting[];
}

const LOOK_MS = 500;

/**
 * Lets so many things run at once; the others wait. Each key has a line of its own, and the lines take turns: a caller who stands alone waits
 * for one of every other's at most. Lines are bounded, and what is too old or has lost its caller is not begun.
 */
export class FairQueue {
  /** One that neither runs nor waits is forgotten. */
  private readonly lines = new Map<string, Line>();
  /** Those in which something waits, in the order in which they are served. */
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
   * Call `leave` when it is done.
   * @returns undefined where it may begin at once, else a promise of its turn, which rejects with NotBegun
   */
  enter(key: string, work: Caller): Promise<void> | undefined {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    const { atOnce, atOnceEach, most, mostEach } = this.limits;
    if (this.running < atOnce && line.running < atOnceEach) {
      this.lines.set(key, line);
      this.begin(line);
      return undefined;
    }
    if (this.waits >= most || line.waiting.length >= mostEach) return Promise.reject(new NotBegun(this.name, 'full'));
    this.lines.set(key, line);
    this.waits++;
    this.queued.add(line);
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    return new Promise((start, refuse) => line.waiting.push({ work, since: performance.now(), start, refuse }));
  }

  /** What has begun goes on after a wait, even where no place is free. */
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

  /** Gives free places to the lines in turn. */
  private serve(): void {
    for (const line of this.queued) {
      if (this.running >= this.limits.atOnce) return;
      if (line.running >= this.limits.atOnceEach) continue;
      const next = this.next(line);
      // Behind all the others: a set keeps the order in which its members came, and this walk meets the line again.
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

  /** Refuses what has waited for too long, also while nothing ends. */
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
