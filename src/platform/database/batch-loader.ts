import { Batcher } from './batcher.js';

/**
 * Reads rows by key, many per statement: calls made while a statement runs are answered by the next one, and calls for the same key share
 * its row. So a caller that asks for its own row has at most one key waiting, and no row was read before its call.
 */
export class BatchLoader<Row> {
  private readonly waiting = new Map<string, Promise<Row>>();
  private readonly batcher: Batcher<string, Row>;

  /** @param loadAll returns one row for each key, in order; no key occurs twice in one call */
  constructor(loadAll: (keys: readonly string[]) => Promise<readonly Row[]>) {
    this.batcher = new Batcher((keys) => {
      for (const key of keys) this.waiting.delete(key);
      return loadAll(keys);
    });
  }

  load(key: string): Promise<Row> {
    const asked = this.waiting.get(key);
    if (asked) return asked;
    const answer = this.batcher.submit(key);
    this.waiting.set(key, answer);
    return answer;
  }
}
