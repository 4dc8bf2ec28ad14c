import { on, type EventEmitter } from 'node:events';

/** An endless stream whose `return()` takes effect at once. */
export type Stream<T> = AsyncGenerator<T, undefined, undefined>;

/**
 * What `bus` emits under `name`, as a stream that ends when `bus` emits `end`. An `async function*` could not do this: its `return()` waits
 * for the event after the last one, so that listeners of closed subscriptions would stay.
 */
export function listen<T>(bus: EventEmitter, name: string): Stream<T> {
  const source = on(bus, name, { close: ['end'] }) as AsyncGenerator<[T], undefined, undefined>;
  const stream: Stream<T> = {
    next: async () => {
      const { done, value } = await source.next();
      return done || value === undefined ? { done: true, value: undefined } : { done: false, value: value[0] };
    },
    return: async () => {
      await source.return(undefined);
      return { done: true, value: undefined };
    },
    throw: async (error) => {
      await source.return(undefined);
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: async () => void (await source.return(undefined)),
  };
  return stream;
}
