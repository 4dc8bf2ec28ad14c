import type { Stream } from './listen.js';

/**
 * A stream made of another, such as a `@Subscription()` returns. What `map` answers `undefined` to is left out. `return()` ends both at once;
 * an `async function*` around a stream could not: its own `return()` waits for the event after the last one, which may never come.
 */
export function mapped<From, To>(source: Stream<From>, map: (event: From) => To | undefined): Stream<To> {
  const stream: Stream<To> = {
    next: async () => {
      for (;;) {
        const { done, value } = await source.next();
        if (done) return { done: true, value: undefined };
        const made = map(value);
        if (made !== undefined) return { done: false, value: made };
      }
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
