import { on, type EventEmitter } from 'node:events';
import { streamOf, type Stream } from './stream.js';

/** What `bus` emits under `name`, as a stream that ends when `bus` emits `end`. */
export function listen<T>(bus: EventEmitter, name: string): Stream<T> {
  const source = on(bus, name, { close: ['end'] }) as AsyncGenerator<[T], undefined, undefined>;
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    const { done, value } = await source.next();
    return done || value === undefined ? { done: true, value: undefined } : { done: false, value: value[0] };
  };
  return streamOf(next, () => source.return(undefined));
}
