import { mapped, type Stream } from '../../platform/events/index.js';
import { priceOfSats, type AmountPrice } from './amount-price.js';
import { findDisplayPrice } from './display-price.js';
import { followPrice } from './price-feed.js';
import type { PriceService } from './price.service.js';
import { realtimePriceIn, realtimePriceKey, type RealtimePriceRow } from './realtime-price.js';

export type PriceTick = (AmountPrice & { readonly __typename: 'Price' }) | (RealtimePriceRow & { readonly __typename: 'RealtimePrice' });

/** Each change of the price of one satoshi in US cents; not the present price, and nothing while there is none. */
export const followPriceOfSat = (prices: PriceService): Stream<PriceTick> =>
  changesOf(
    followPrice(
      prices,
      (quote) => (quote ? { __typename: 'Price' as const, ...priceOfSats(1, quote.centsPerBtc) } : undefined),
      (price) => String(price?.formattedAmount),
    ),
  );

/** The same for the prices in a currency. */
export const followRealtimePrice = (prices: PriceService, currency: string): Stream<PriceTick> =>
  changesOf(
    followPrice(
      prices,
      (quote) =>
        quote && findDisplayPrice(currency, quote)
          ? { __typename: 'RealtimePrice' as const, ...realtimePriceIn(currency, prices) }
          : undefined,
      (row) => (row ? realtimePriceKey(row) : 'none'),
    ),
  );

function changesOf<T>(values: Stream<T | undefined>): Stream<T> {
  let isFirst = true;
  return mapped(values, (value) => {
    if (!isFirst) return value;
    isFirst = false;
    return undefined;
  });
}
