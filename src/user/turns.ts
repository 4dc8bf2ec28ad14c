/** Lets so many pieces of work run at once; the others wait in line, first come first served. */
export class Turns {
  private readonly line: (() => void)[] = [];
  private running = 0;

  constructor(private readonly atOnce: number) {}

  get waiting(): number {
    return this.line.length;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.line.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      // The place is handed on, not given back, so that nobody who comes just now takes it.
      if (next) next();
      else this.running--;
    }
  }
}
