import type { Clock } from '../kernel/clock.js';

export interface DripOptions {
  /** Between two turns of one key. */
  readonly everyMs: number;
  /** Most that wait for one key, and altogether. */
  readonly waiting: number;
  readonly waitingInAll: number;
}

interface Waiting {
  readonly isGone: () => boolean;
  readonly resolve: (hasTurn: boolean) => void;
}

/**
 * One turn every so often for each key; the others wait in a short line. Where a limit is used up, this is what keeps those who share an
 * address with an attacker from being shut out.
 */
export class Drip {
  /** Keys whose last turn is not long ago, with those who wait behind it. */
  private readonly lines = new Map<string, Waiting[]>();
  private readonly timers = new Set<() => void>();
  private total = 0;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: DripOptions,
  ) {}

  get waiting(): number {
    return this.total;
  }

  /**
   * @param isGone asked when the turn has come: the caller may have left meanwhile, and then the next one is served
   * @returns whether there is a turn; false: too many wait
   */
  take(key: string, isGone: () => boolean): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    const line = this.lines.get(key);
    if (!line) {
      this.begin(key, []);
      return Promise.resolve(true);
    }
    const isFull = line.length >= this.options.waiting || this.total >= this.options.waitingInAll;
    if (isFull && !this.dropGone(line)) return Promise.resolve(false);
    this.total++;
    return new Promise((resolve) => line.push({ isGone, resolve }));
  }

  /** Sends everybody away: a process that ends does not wait for them. */
  close(): void {
    this.isClosed = true;
    for (const cancel of this.timers) cancel();
    for (const { resolve } of [...this.lines.values()].flat()) resolve(false);
    this.timers.clear();
    this.lines.clear();
    this.total = 0;
  }

  private begin(key: string, line: Waiting[]): void {
    this.lines.set(key, line);
    const cancel = this.clock.timeout(this.options.everyMs, () => {
      this.timers.delete(cancel);
      this.next(key, line);
    });
    this.timers.add(cancel);
  }

  private next(key: string, line: Waiting[]): void {
    this.dropGone(line);
    const first = line.shift();
    if (!first) return void this.lines.delete(key);
    this.total--;
    first.resolve(true);
    this.begin(key, line);
  }

  /** @returns whether a caller in this line had left */
  private dropGone(line: Waiting[]): boolean {
    const stay = line.filter(({ isGone }) => !isGone());
    const gone = line.filter((each) => !stay.includes(each));
    line.splice(0, line.length, ...stay);
    this.total -= gone.length;
    for (const { resolve } of gone) resolve(false);
    return gone.length > 0;
  }
}
