/** Keeps an event that repeats from filling the log: one line an interval. */
export class LogInterval {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly ms: number) {}

  /**
   * Whether the event may be logged now; if so, the interval begins again.
   * @param key events of one key share a line, such as those of one queue. The caller has few of them, since they are kept
   */
  isOver(key = '', now = performance.now()): boolean {
    if (now - (this.loggedAt.get(key) ?? -Infinity) < this.ms) return false;
    this.loggedAt.set(key, now);
    return true;
  }
}
