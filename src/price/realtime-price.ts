import { quoteOfCent, quoteOfSat, type Quote } from './quote.js';
import type { PriceSource } from './price-source.js';

/** The only currency with a known price. */
const USD = { __typename: 'Currency' as const, id: 'USD', name: 'US Dollar', symbol: '$', flag: '🇺🇸', fractionDigits: 2 };

export interface RealtimePriceRow {
  readonly id: string;
  readonly timestamp: Date;
  readonly denominatorCurrency: string;
  readonly denominatorCurrencyDetails: typeof USD;
  readonly btcSatPrice: Quote;
  readonly usdCentPrice: Quote;
}

/** What one satoshi and one cent are worth now; undefined for a currency without a known price. */
export function realtimePriceIn(currency: string, source: PriceSource): RealtimePriceRow | undefined {
  if (currency !== USD.id) return undefined;
  return {
    id: USD.id,
    timestamp: new Date(),
    denominatorCurrency: USD.id,
    denominatorCurrencyDetails: USD,
    btcSatPrice: quoteOfSat(source.centsPerBtc()),
    usdCentPrice: quoteOfCent(),
  };
}
