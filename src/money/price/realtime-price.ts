import { InvalidInput, type Problem, type Result } from '../../edge/graphql/index.js';
import { MAX_CENTS, MAX_SATS } from '../../platform/kernel/money.js';
import type { Currency } from './currency.js';
import { findDisplayPrice, listCurrencies, unitsFor, type DisplayPrice } from './display-price.js';
import type { PriceQuote } from './price-source.js';
import type { PriceService } from './price.service.js';
import type { Quote } from './quote.js';

export const UNAVAILABLE: Problem = {
  message: 'No price is available now. Please try again later.',
  code: 'PRICE_UNAVAILABLE',
  path: null,
};

const BASE_CURRENCY = 'USD';

export interface RealtimePriceRow {
  readonly id: string;
  readonly timestamp: Date;
  readonly denominatorCurrency: string;
  readonly denominatorCurrencyDetails: Currency;
  readonly btcSatPrice: Quote;
  readonly usdCentPrice: Quote;
}

/** Two prices in one currency with the same key are no change for subscribers: only their time differs. */
export const realtimePriceKey = ({ btcSatPrice, usdCentPrice }: RealtimePriceRow): string => `${btcSatPrice.base} ${usdCentPrice.base}`;

export type EstimationRow = Result<'Query', 'currencyConversionEstimation'>;

/** @throws InvalidInput for a currency without a price, and `PRICE_UNAVAILABLE` without a price to be trusted */
export function realtimePriceIn(currency: string, prices: PriceService): RealtimePriceRow {
  const quote = quoteOf(prices);
  const price = priceIn(currency, quote);
  return {
    id: currency,
    timestamp: quote.at,
    denominatorCurrency: currency,
    denominatorCurrencyDetails: price.currency,
    btcSatPrice: price.ofSat,
    usdCentPrice: price.ofCent,
  };
}

/** @throws InvalidInput `PRICE_UNAVAILABLE` without a price to be trusted */
export const currenciesOf = (prices: PriceService): readonly Currency[] => listCurrencies(quoteOf(prices));

/**
 * @param amount in the major unit of the currency, not negative
 * @throws InvalidInput for a currency without a price or an amount out of bounds, and `PRICE_UNAVAILABLE` without a price to be trusted
 */
export function estimationOf(amount: number, currency: string, prices: PriceService): EstimationRow {
  const quote = quoteOf(prices);
  const price = priceIn(currency, quote);
  const [sats, cents] = amount < MAX_MAJOR ? [unitsFor(amount, price, price.ofSat), unitsFor(amount, price, price.ofCent)] : [];
  if (sats === undefined || cents === undefined || sats > MAX_SATS || cents > MAX_CENTS)
    throw InvalidInput.of('The amount is too large', 'INVALID_INPUT', ['amount']);
  return { id: `${currency}:${amount}`, timestamp: quote.at, btcSatAmount: Number(sats), usdCentAmount: Number(cents) };
}

/** No currency is worth so little that such an amount is below the bounds of satoshis and cents; `toFixed` is exact up to it. */
const MAX_MAJOR = 1e21;

/**
 * Checks a currency that a person chooses, as `input.currency`. US dollars can be chosen also while there is no price.
 * @throws InvalidInput for a currency without a price, and `PRICE_UNAVAILABLE` without a price to be trusted
 */
export function requireCurrency(currency: string, prices: PriceService): void {
  if (currency !== BASE_CURRENCY) priceIn(currency, quoteOf(prices), ['input', 'currency']);
}

export const hasPriceIn = (currency: string, { quote }: Pick<PriceService, 'quote'>): boolean =>
  currency === BASE_CURRENCY || (quote !== undefined && findDisplayPrice(currency, quote) !== undefined);

/**
 * As `realtimePriceIn`, for a currency that had a price when it was chosen.
 * @throws InvalidInput `PRICE_UNAVAILABLE` without a price in it
 */
export function realtimePriceOf(currency: string, prices: PriceService): RealtimePriceRow {
  if (!findDisplayPrice(currency, quoteOf(prices))) throw new InvalidInput([UNAVAILABLE]);
  return realtimePriceIn(currency, prices);
}

function quoteOf({ quote }: PriceService): PriceQuote {
  if (!quote) throw new InvalidInput([UNAVAILABLE]);
  return quote;
}

function priceIn(currency: string, quote: PriceQuote, path: readonly string[] = ['currency']): DisplayPrice {
  const price = findDisplayPrice(currency, quote);
  if (!price) throw InvalidInput.of('Invalid currency.', 'INVALID_INPUT', path);
  return price;
}
