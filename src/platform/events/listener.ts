import { within } from '../kernel/within.js';
import type { Log } from '../logging/index.js';

/** Calls of one handler that run at the same time: if each uses a connection, the others keep theirs. */
const MAX_AT_ONCE = 4;
const MAX_WAITING = 1_000;
/** A call that takes longer is reported, and no event waits for it any longer. */
const MAX_CALL_MS = 20_000;

export type EventHandler<T> = (event: T, key: string) => void | Promise<void>;

/** A handler of events, whose asynchronous calls are bounded. One that returns nothing is called at once for each event. */
export class Listener<T> {
  private running = 0;
  private readonly waiting: (readonly [T, string])[] = [];
  private dropped = 0;

  /** @param origin where it was registered: the log names it */
  constructor(
    private readonly topic: string,
    private readonly origin: string,
    private readonly handler: EventHandler<T>,
    private readonly log: Log,
  ) {}

  readonly take = (event: T, key: string): void => {
    queueMicrotask(() => {
      if (this.running < MAX_AT_ONCE) this.call(event, key);
      else if (this.waiting.length < MAX_WAITING) this.waiting.push([event, key]);
      else this.drop();
    });
  };

  private call(event: T, key: string): void {
    try {
      const result = this.handler(event, key);
      if (result instanceof Promise) void this.follow(result.catch((error: unknown) => this.reportFailure(error)));
    } catch (error) {
      this.reportFailure(error);
    }
  }

  private async follow(result: Promise<void>): Promise<void> {
    this.running++;
    await within(MAX_CALL_MS, result, () => this.reportLong());
    this.running--;
    const next = this.waiting.shift();
    if (next) this.call(...next);
    else this.dropped = 0;
  }

  /** A handler that throws or rejects is a bug of its module; the other handlers still run. */
  private reportFailure(error: unknown): void {
    const { topic } = this;
    this.log.error('events_handler_failed', { topic }, `A handler of ${topic} failed (${this.origin})`, error);
  }

  private reportLong(): void {
    const { topic, origin } = this;
    const seconds = MAX_CALL_MS / 1000;
    this.log.warn('events_handler_slow', { topic, origin }, `A handler of ${topic} has run for ${seconds} s (${origin})`);
  }

  private drop(): void {
    const { topic, origin } = this;
    if (this.dropped++ > 0) return;
    this.log.error(
      'events_handler_overrun',
      { topic, origin },
      `A handler of ${topic} is too slow (${origin}): ${MAX_WAITING} events wait for it, and it misses the next ones`,
    );
  }
}
