import { EventEmitter } from 'node:events';
import { listen } from './listen.js';
import { withCleanup, type Stream } from './stream.js';

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
