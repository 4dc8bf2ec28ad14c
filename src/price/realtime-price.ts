import { InvalidInput } from '../graphql/index.js';
import type { PriceService } from './price.service.js';
import { quoteOfCent, quoteOfSat, type Quote } from './quote.js';

/** The only currency with a price. */
const USD = { __typename: 'Currency' as const, id: 'USD', name: 'US Dollar', symbol: '$', flag: '🇺🇸', fractionDigits: 2 };

export interface RealtimePriceRow {
  readonly id: string;
  readonly timestamp: Date;
  readonly denominatorCurrency: string;
  readonly denominatorCurrencyDetails: typeof USD;
  readonly btcSatPrice: Quote;
  readonly usdCentPrice: Quote;
}

/**
 * What one satoshi and one cent are worth now.
 * @throws InvalidInput for another currency, and `PRICE_UNAVAILABLE` without a price to be trusted
 */
export function realtimePriceIn(currency: string, { quote }: PriceService): RealtimePriceRow {
  if (currency !== USD.id) throw InvalidInput.of('Invalid currency.', 'INVALID_INPUT', ['currency']);
  if (!quote) throw InvalidInput.of('No price is available now. Please try again later.', 'PRICE_UNAVAILABLE');
  return {
    id: USD.id,
    timestamp: new Date(),
    denominatorCurrency: USD.id,
    denominatorCurrencyDetails: USD,
    btcSatPrice: quoteOfSat(quote.centsPerBtc),
    usdCentPrice: quoteOfCent(),
  };
}
