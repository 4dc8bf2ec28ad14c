/** Those whom we know wait apart from strangers: the two lanes take turns, however many lines the other one has. */
export type Lane = 'known' | 'strangers';

/**
 * Lets so many pieces of work run at once; the others wait. Each key has a line of its own, first come first served, and the lines take turns:
 * whoever stands alone waits for one of everybody else's at most, however long their lines are.
 */
export class Turns {
  /** In the order in which the lines are served. None is empty. */
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
      // The place is handed on, not given back, so that nobody who comes just now takes it.
      if (next) next();
      else this.running--;
    }
  }

  /** How many wait in a lane. */
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
    // Behind all the others: a map keeps the order in which its keys came.
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    return start;
  }
}

export interface Room {
  /** For those who have no place yet, altogether. */
  readonly all: number;
  /** Beyond so many altogether, nobody gets a second place. */
  readonly crowded: number;
  readonly each: number;
}

/** Who may join in: one place for anybody, more only while there is room. Many by a few keys therefore never shut anybody else out. */
export class Places {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly room: Room) {}

  /** @returns gives the place back, and is to be called once; undefined: there is none */
  take(key: string): (() => void) | undefined {
    const own = this.taken.get(key) ?? 0;
    const { all, crowded, each } = this.room;
    if (own === 0 ? this.total >= all : this.total >= crowded || own >= each) return undefined;
    this.taken.set(key, own + 1);
    this.total++;
    return () => {
      this.total--;
      const left = (this.taken.get(key) ?? 1) - 1;
      if (left > 0) this.taken.set(key, left);
      else this.taken.delete(key);
    };
  }
}
