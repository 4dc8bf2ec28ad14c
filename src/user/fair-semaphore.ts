/** Known callers wait apart from strangers: the two classes take turns, however many queues the other one has. */
export type CallerClass = 'known' | 'strangers';

/**
 * Runs up to `atOnce` pieces of work; the others wait. Each key has a FIFO queue of its own, and the queues take turns: a single caller
 * waits for at most one piece of work of each other key. Unlike `FairQueue` (http) it has two classes of callers, and bounds no queue.
 */
export class FairSemaphore {
  /** In the order in which the queues are served. None is empty. */
  private readonly queues: Readonly<Record<CallerClass, Map<string, (() => void)[]>>> = { known: new Map(), strangers: new Map() };
  private nextClass: CallerClass = 'known';
  private running = 0;

  constructor(private readonly atOnce: number) {}

  async take<T>(key: string, work: () => Promise<T>, callers: CallerClass = 'strangers'): Promise<T> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.join(this.queues[callers], key, resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.next();
      // The slot is passed on, not released, so that no new caller takes it.
      if (next) next();
      else this.running--;
    }
  }

  /** Number of waiting pieces of work of this class. */
  waiting(callers: CallerClass): number {
    return [...this.queues[callers].values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  private join(queues: Map<string, (() => void)[]>, key: string, start: () => void): void {
    const queue = queues.get(key);
    if (queue) queue.push(start);
    else queues.set(key, [start]);
  }

  private next(): (() => void) | undefined {
    const [one, other] = this.nextClass === 'known' ? (['known', 'strangers'] as const) : (['strangers', 'known'] as const);
    this.nextClass = other;
    return this.nextOf(this.queues[one]) ?? this.nextOf(this.queues[other]);
  }

  private nextOf(queues: Map<string, (() => void)[]>): (() => void) | undefined {
    const first = queues.entries().next();
    if (first.done) return undefined;
    const [key, queue] = first.value;
    const start = queue.shift();
    // To the end: a map keeps the order of insertion.
    queues.delete(key);
    if (queue.length > 0) queues.set(key, queue);
    return start;
  }
}
