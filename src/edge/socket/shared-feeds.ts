import type { ExecutionResult } from 'graphql';
import { streamOf, type Stream } from '../../platform/events/index.js';

export type Source = AsyncGenerator<ExecutionResult> | ExecutionResult;

interface Member {
  readonly send: (json: string) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

interface Feed {
  readonly members: Set<Member>;
  readonly source: Promise<Source>;
  /** The latest result: a new member gets it first. */
  last?: string;
}

/** `key` names the feed, and `send` writes the JSON of a result as a frame of the member's socket. */
export interface Share {
  readonly key: string;
  /** It has an event at each change of the price. */
  readonly isOfPrices: boolean;
  readonly send: (json: string) => void;
}

/** Subscriptions with the same document and variables are executed and serialised once. `toJson` is the last filter for errors. */
export class SharedFeeds {
  private readonly open = new Map<string, Feed>();

  constructor(private readonly toJson: (result: ExecutionResult) => string) {}

  /** The stream that graphql-ws gets yields nothing, it only ends: results go directly to `send`. */
  async join({ key, send }: Share, start: () => Promise<Source>): Promise<Stream<never> | ExecutionResult> {
    const feed = this.open.get(key) ?? this.begin(key, start);
    let member: Member | undefined;
    const ended = new Promise<IteratorReturnResult<undefined>>((resolve, reject) => {
      member = { send, end: () => resolve({ done: true, value: undefined }), fail: reject };
      feed.members.add(member);
    });
    ended.catch(() => undefined); // the caller of next() gets the error
    const source = await feed.source;
    if (!(Symbol.asyncIterator in source)) return source; // refused: graphql-ws reports it
    if (feed.last !== undefined) send(feed.last);
    const leave = (): Promise<IteratorReturnResult<undefined>> => {
      if (member && feed.members.delete(member) && feed.members.size === 0) this.stop(key, feed, source);
      member?.end();
      return ended;
    };
    return streamOf<never>(() => ended, leave);
  }

  private begin(key: string, start: () => Promise<Source>): Feed {
    const feed: Feed = { members: new Set(), source: start() };
    this.open.set(key, feed);
    const endAll = (what: (member: Member) => void): void => {
      this.forget(key, feed);
      feed.members.forEach(what);
    };
    this.pump(feed).then(
      () => endAll(({ end }) => end()),
      (error: unknown) => endAll(({ fail }) => fail(error)),
    );
    return feed;
  }

  private async pump(feed: Feed): Promise<void> {
    const source = await feed.source;
    if (!(Symbol.asyncIterator in source)) return;
    for await (const result of source) {
      feed.last = this.toJson(result);
      for (const { send } of feed.members) send(feed.last);
    }
  }

  private stop(key: string, feed: Feed, source: AsyncGenerator<ExecutionResult>): void {
    this.forget(key, feed);
    void source.return(undefined);
  }

  private forget(key: string, feed: Feed): void {
    if (this.open.get(key) === feed) this.open.delete(key);
  }
}
