import { isRetriable } from './pg-errors.js';

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

const ATTEMPTS = 4;

/**
 * Natural batching: while one batch is under way, callers queue; the next batch takes them all. Nobody ever waits for a batch to fill.
 * `run` answers one outcome per item, in order. When it throws, every caller of that batch is told; a deadlock alone is tried again.
 */
export class Lane<Item, Outcome> {
  private readonly queue: Waiting<Item, Outcome>[] = [];
  private busy = false;

  constructor(
    private readonly run: (batch: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly options: { readonly max: number } = { max: 128 },
  ) {}

  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (this.busy) return;
      this.busy = true;
      // One turn of the event loop: requests that arrived in the same read travel together.
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, this.options.max);
      try {
        const outcomes = await this.attempt(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, index) =>
          index < outcomes.length ? resolve(outcomes[index] as Outcome) : reject(new Error('A batch answered too few outcomes')),
        );
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
      // Whoever was just answered may have more to send: it travels in the next batch, not in the one after.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.busy = false;
  }

  private async attempt(items: readonly Item[]): Promise<readonly Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.run(items);
      } catch (error) {
        if (!isRetriable(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
