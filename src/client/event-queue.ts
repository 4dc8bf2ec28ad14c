/** The most events that wait for a slow reader; beyond them the subscription ends with an error. */
const MAX_WAITING = 1_024;

/** The events of a subscription, from the source that pushes them to the loop that reads them. */
export class EventQueue<Event> implements AsyncIterableIterator<Event> {
  private readonly events: Event[] = [];
  private readonly readers: (() => void)[] = [];
  private end: { readonly error?: Error } | undefined;
  /** Stops the source. */
  stop: () => void = () => undefined;

  push(event: Event): void {
    if (this.end) return;
    if (this.events.length === MAX_WAITING) {
      this.finish({ error: new RangeError(`More than ${MAX_WAITING} events wait to be read`) });
      this.stop();
      return;
    }
    this.events.push(event);
    this.wake();
  }

  /** Ends the queue; events that wait are read first. Only the first end counts. */
  finish(end: { readonly error?: Error } = {}): void {
    this.end ??= end;
    this.wake();
  }

  async next(): Promise<IteratorResult<Event>> {
    while (this.events.length === 0 && !this.end) await new Promise<void>((resolve) => this.readers.push(resolve));
    const [value] = this.events.splice(0, 1);
    if (value !== undefined) return { done: false, value };
    const { error } = this.end ?? {};
    this.end = {};
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Event>> {
    this.events.length = 0;
    this.finish();
    this.stop();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private wake(): void {
    for (const reader of this.readers.splice(0)) reader();
  }
}
