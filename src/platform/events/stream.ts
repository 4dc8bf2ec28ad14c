/** An endless stream whose `return()` takes effect at once. */
export type Stream<T> = AsyncGenerator<T, undefined, undefined>;

/**
 * A stream of `next` and `leave`. An `async function*` does not work: its `return()` waits for the next value, so that listeners of closed
 * subscriptions would remain.
 */
export function streamOf<T>(next: () => Promise<IteratorResult<T, undefined>>, leave: () => Promise<unknown>): Stream<T> {
  const stream: Stream<T> = {
    next,
    return: async () => {
      await leave();
      return { done: true, value: undefined };
    },
    throw: async (error) => {
      await leave();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: async () => void (await leave()),
  };
  return stream;
}

export async function* only<T>(value: T): Stream<T> {
  yield value;
  return undefined;
}

/** Maps each value; skips a value that maps to undefined. */
export function mapped<T, Mapped>(source: Stream<T>, map: (value: T) => Mapped | undefined): Stream<Mapped> {
  const next = async (): Promise<IteratorResult<Mapped, undefined>> => {
    for (;;) {
      const result = await source.next();
      if (result.done) return result;
      const value = map(result.value);
      if (value !== undefined) return { done: false, value };
    }
  };
  return streamOf(next, () => source.return(undefined));
}

export function withCleanup<T>(source: Stream<T>, tidy: () => void): Stream<T> {
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    try {
      const result = await source.next();
      if (result.done) tidy();
      return result;
    } catch (error) {
      tidy();
      throw error;
    }
  };
  return streamOf(next, () => {
    tidy();
    return source.return(undefined);
  });
}
