import { EventEmitter } from 'node:events';
import { streamOf, type Stream, withCleanup } from './stream.js';

/** Events that a stream keeps for a reader that does not come for them. */
const MAX_UNREAD = 1_000;

type StreamResult<T> = IteratorResult<T, undefined>;

export class SlowReaderError extends Error {
  constructor() {
    super('The reader of this stream is too slow');
  }
}

/**
 * Streams the events of `bus` called `name`, until `bus` emits `end`. `on` of `node:events` would keep every event that is not read yet: a
 * subscriber that stops reading its socket would take memory without a limit.
 */
export function listen<T>(bus: EventEmitter, name: string): Stream<T> {
  const unread: T[] = [];
  const readers: ((result: StreamResult<T> | Promise<never>) => void)[] = [];
  let ended: (() => StreamResult<T> | Promise<never>) | undefined;

  const endWith = (result: () => StreamResult<T> | Promise<never>): void => {
    if (ended) return;
    ended = result;
    bus.off(name, take);
    bus.off('end', end);
    for (const read of readers.splice(0)) read(result());
  };
  const end = (): void => endWith(() => ({ done: true, value: undefined }));
  const take = (event: T): void => {
    const read = readers.shift();
    if (read) return read({ done: false, value: event });
    if (unread.length < MAX_UNREAD) return void unread.push(event);
    unread.length = 0;
    endWith(() => Promise.reject(new SlowReaderError()));
  };
  bus.on(name, take);
  bus.on('end', end);

  const next = (): Promise<StreamResult<T>> =>
    new Promise((resolve) => {
      if (unread.length > 0) resolve({ done: false, value: unread.shift() as T });
      else if (ended) resolve(ended());
      else readers.push(resolve);
    });
  return streamOf(next, () => {
    unread.length = 0;
    end();
    return Promise.resolve();
  });
}

/** The values of several streams in the order in which they come, until one of the streams ends. */
export function merged<T>(sources: readonly Stream<T>[]): Stream<T> {
  const bus = new EventEmitter();
  const stream = listen<T>(bus, 'value');
  const end = (): void => void bus.emit('end');
  // Not Promise.race: each race would leave a reaction at the promises of streams that are silent for long.
  const forward = async (source: Stream<T>): Promise<void> => {
    for await (const value of source) bus.emit('value', value);
  };
  for (const source of sources) forward(source).then(end, end);
  return withCleanup(stream, () => {
    for (const source of sources) void source.return(undefined);
  });
}
