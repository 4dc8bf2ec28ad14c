import type { PriceQuote } from './price-source.js';
import { billionthsOf, frozenPrice } from './frozen-price.js';
import { centsOfMsat, dollarsOfCents } from './quote.js';

/** An amount in a currency of prices. */
export interface DisplayAmount {
  /** ISO 4217. */
  readonly currency: string;
  /** A decimal number of its major unit, with all decimal places: "-12.50". */
  readonly text: string;
}

/**
 * What an amount is worth now: in the display currency of an account, or in US dollars where that currency has no price any more.
 * @param minor msat, or US cents
 */
export function displayAmountOf(minor: bigint, of: 'BTC' | 'USD', currency: string, quote: PriceQuote): DisplayAmount {
  const rate = quote.rates && Object.hasOwn(quote.rates, currency) ? quote.rates[currency] : undefined;
  const price =
    rate === undefined || currency === 'USD'
      ? undefined
      : frozenPrice({ currency, billionthsPerDollar: billionthsOf(rate) }, of === 'BTC' ? quote.centsPerBtc : undefined);
  if (price) return { currency, text: price.textOf(minor) };
  return { currency: 'USD', text: dollarsOfCents(of === 'BTC' ? centsOfMsat(minor, quote.centsPerBtc) : minor) };
}
