/** An endless stream whose `return()` takes effect at once. */
export type Stream<T> = AsyncGenerator<T, undefined, undefined>;

/**
 * A stream of these two. An `async function*` could not be one: its `return()` waits for the value after the last one, so that listeners of
 * closed subscriptions would stay.
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

/** A stream of one. */
export async function* only<T>(value: T): Stream<T> {
  yield value;
  return undefined;
}

/** What `map` makes of each value. Where that is undefined nothing is told. */
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

/** The same stream; `tidy` runs when it ends, whoever ends it. */
export function tidied<T>(source: Stream<T>, tidy: () => void): Stream<T> {
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    const result = await source.next();
    if (result.done) tidy();
    return result;
  };
  return streamOf(next, () => {
    tidy();
    return source.return(undefined);
  });
}
