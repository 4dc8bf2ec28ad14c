import { EventEmitter } from 'node:events';
import { listen, withCleanup, type Stream } from '../../platform/events/index.js';
import { findDisplayPrice } from './display-price.js';
import type { PriceQuote } from './price-source.js';
import type { PriceService } from './price.service.js';
import { priceOfSats, type AmountPrice } from './quote.js';
import { realtimePriceIn, realtimePriceKey, type RealtimePriceRow } from './realtime-price.js';

/**
 * What `read` makes of the price now, then again whenever that has changed.
 * @param read gets undefined while there is no price to be trusted
 * @param keyOf two values with the same key are no change
 * @param isKnown leaves out what it makes of the price now. Undefined is left out in any case
 */
export function followPrice<T>(
  prices: PriceService,
  read: (quote: PriceQuote | undefined) => T,
  keyOf: (value: T) => string,
  isKnown = false,
): Stream<NonNullable<T>> {
  const bus = new EventEmitter();
  const stream = listen<NonNullable<T>>(bus, 'value');
  let last: string | undefined;
  const look = (isLeftOut: boolean): void => {
    const value = read(prices.quote);
    const key = keyOf(value);
    if (key !== last && value !== undefined && !isLeftOut) bus.emit('value', value);
    last = key;
  };
  const leave = prices.onChange(() => look(false));
  look(isKnown);
  return withCleanup(stream, leave);
}

export type PriceTick = (AmountPrice & { readonly __typename: 'Price' }) | (RealtimePriceRow & { readonly __typename: 'RealtimePrice' });

/** Each change of the price of one satoshi in US cents; not the present price, and nothing while there is none. */
export const followPriceOfSat = (prices: PriceService): Stream<PriceTick> =>
  followPrice(
    prices,
    (quote) => quote && { __typename: 'Price' as const, ...priceOfSats(1, quote.centsPerBtc) },
    (price) => String(price?.formattedAmount),
    true,
  );

export const followRealtimePrice = (prices: PriceService, currency: string): Stream<PriceTick> =>
  followPrice(
    prices,
    (quote) =>
      quote && findDisplayPrice(currency, quote)
        ? { __typename: 'RealtimePrice' as const, ...realtimePriceIn(currency, prices) }
        : undefined,
    (row) => (row ? realtimePriceKey(row) : 'none'),
    true,
  );
