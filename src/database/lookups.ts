import { Lane } from './lane.js';

/**
 * Rows by their key, many a statement: callers that ask while one statement runs are answered by the next, and those that ask for the same key
 * share its answer. So a caller has one key waiting at most, whatever it asks at once, and no answer is older than the question.
 */
export class Lookups<Row> {
  /** Keys that no statement has taken yet. */
  private readonly waiting = new Map<string, Promise<Row>>();
  private readonly lane: Lane<string, Row>;

  /** @param find answers one row for each key, in order; no key comes twice in one call */
  constructor(find: (keys: readonly string[]) => Promise<readonly Row[]>) {
    this.lane = new Lane((keys) => {
      for (const key of keys) this.waiting.delete(key);
      return find(keys);
    });
  }

  find(key: string): Promise<Row> {
    const asked = this.waiting.get(key);
    if (asked) return asked;
    const answer = this.lane.submit(key);
    this.waiting.set(key, answer);
    return answer;
  }
}
