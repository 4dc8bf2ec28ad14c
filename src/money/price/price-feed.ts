import { EventEmitter } from 'node:events';
import { listen, withCleanup, type Stream } from '../../platform/events/index.js';
import type { PriceQuote } from './price-source.js';
import type { PriceService } from './price.service.js';

/**
 * What `read` makes of the price now, then again whenever that has changed.
 * @param read gets undefined while there is no price to be trusted
 * @param keyOf two values with the same key are no change
 */
export function followPrice<T>(prices: PriceService, read: (quote: PriceQuote | undefined) => T, keyOf: (value: T) => string): Stream<T> {
  const bus = new EventEmitter();
  const stream = listen<T>(bus, 'value');
  let last: string | undefined;
  const look = (): void => {
    const value = read(prices.quote);
    const key = keyOf(value);
    if (key !== last) bus.emit('value', value);
    last = key;
  };
  const leave = prices.onChange(look);
  look();
  return withCleanup(stream, leave);
}
