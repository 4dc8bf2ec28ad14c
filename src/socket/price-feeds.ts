import { createSourceEventStream, execute, type ExecutionArgs } from 'graphql';
import { streamOf, type Stream } from '../events/index.js';
import type { Source } from './shared-feeds.js';

/** Each is executed at every change of the price: enough for all currencies that have a price. */
const MAX_OF_CALLER = 200;

/** Feeds of prices: one change of the price is an event of each of them. */
export class PriceFeeds {
  private readonly byCaller = new Map<string, Map<string, number>>();
  private latestPass: Promise<unknown> = Promise.resolve();

  /** @returns how the caller leaves the feed, or undefined if it follows too many different ones */
  follow(caller: string, feed: string): (() => void) | undefined {
    const feeds = this.byCaller.get(caller) ?? new Map<string, number>();
    if (!feeds.has(feed) && feeds.size >= MAX_OF_CALLER) return undefined;
    this.byCaller.set(caller, feeds.set(feed, (feeds.get(feed) ?? 0) + 1));
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const uses = (feeds.get(feed) ?? 1) - 1;
      if (uses > 0) feeds.set(feed, uses);
      else feeds.delete(feed);
      if (feeds.size === 0) this.byCaller.delete(caller);
    };
  }

  /** As `subscribe` of graphql-js, but no two events of these feeds are executed in one pass of the event loop: other callers are served between. */
  async subscribe(args: ExecutionArgs): Promise<Source> {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const events = source[Symbol.asyncIterator]() as Stream<unknown>;
    return streamOf(
      async () => {
        const event = await events.next();
        if (event.done) return event;
        await this.nextPass();
        return { done: false, value: await execute({ ...args, rootValue: event.value }) };
      },
      () => events.return(undefined),
    );
  }

  private nextPass(): Promise<unknown> {
    return (this.latestPass = this.latestPass.then(() => new Promise((resolve) => setImmediate(resolve))));
  }
}
