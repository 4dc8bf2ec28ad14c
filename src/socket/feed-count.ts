/** Each is executed at every change of the price: enough for all currencies that have a price. */
const MAX_OF_CALLER = 200;

/** The different feeds of prices that each caller follows. */
export class FeedCount {
  private readonly byCaller = new Map<string, Map<string, number>>();

  /** @returns how to end the count, or undefined if it is one feed too many */
  begin(caller: string, feed: string): (() => void) | undefined {
    const feeds = this.byCaller.get(caller) ?? new Map<string, number>();
    if (!feeds.has(feed) && feeds.size >= MAX_OF_CALLER) return undefined;
    this.byCaller.set(caller, feeds.set(feed, (feeds.get(feed) ?? 0) + 1));
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const uses = (feeds.get(feed) ?? 1) - 1;
      if (uses > 0) feeds.set(feed, uses);
      else feeds.delete(feed);
      if (feeds.size === 0) this.byCaller.delete(caller);
    };
  }
}
