/** Known callers wait apart from strangers: the two lanes take turns, however many queues the other one has. */
export type Lane = 'known' | 'strangers';

/**
 * Runs up to `atOnce` pieces of work; the others wait. Each key has a FIFO queue of its own, and the queues take turns: a single caller
 * waits for at most one piece of work of each other key, however long their queues are.
 */
export class FairSemaphore {
  /** In the order in which the queues are served. None is empty. */
  private readonly lanes: Readonly<Record<Lane, Map<string, (() => void)[]>>> = { known: new Map(), strangers: new Map() };
  private nextLane: Lane = 'known';
  private running = 0;

  constructor(private readonly atOnce: number) {}

  async take<T>(key: string, work: () => Promise<T>, lane: Lane = 'strangers'): Promise<T> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.join(this.lanes[lane], key, resolve));
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

  /** Number of waiting pieces of work in a lane. */
  waiting(lane: Lane): number {
    return [...this.lanes[lane].values()].reduce((sum, line) => sum + line.length, 0);
  }

  private join(lines: Map<string, (() => void)[]>, key: string, start: () => void): void {
    const line = lines.get(key);
    if (line) line.push(start);
    else lines.set(key, [start]);
  }

  private next(): (() => void) | undefined {
    const [one, other] = this.nextLane === 'known' ? (['known', 'strangers'] as const) : (['strangers', 'known'] as const);
    this.nextLane = other;
    return this.nextOf(this.lanes[one]) ?? this.nextOf(this.lanes[other]);
  }

  private nextOf(lines: Map<string, (() => void)[]>): (() => void) | undefined {
    const first = lines.entries().next();
    if (first.done) return undefined;
    const [key, line] = first.value;
    const start = line.shift();
    // To the end: a map keeps the order of insertion.
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    return start;
  }
}
