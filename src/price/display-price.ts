import { SATS_PER_BTC } from '../kernel/money.js';
import { findCurrency, type Currency } from './currency.js';
import type { PriceQuote } from './price-source.js';
import { CENT_OFFSET, MAX_SAFE_BASE, SAT_OFFSET, type Quote } from './quote.js';

/** The worth of one satoshi and of one US cent, in the minor unit of a currency. */
export interface DisplayPrice {
  readonly currency: Currency;
  readonly ofSat: Quote;
  readonly ofCent: Quote;
}

const CENTS_PER_DOLLAR = 100n;
/** Rates as integers, in billionths: what a decimal rate says beyond them is far below one minor unit. */
const RATE_DIGITS = 9;
const TEN = 10n;

/** @returns undefined if the quote has no price in this currency */
export function findDisplayPrice(id: string, quote: PriceQuote): DisplayPrice | undefined {
  const currency = findCurrency(id);
  const rate = id === 'USD' ? 1 : quote.rates && Object.hasOwn(quote.rates, id) ? quote.rates[id] : undefined;
  if (!currency || rate === undefined) return undefined;
  const minorPerDollar = BigInt(Math.round(rate * 10 ** RATE_DIGITS)) * TEN ** BigInt(currency.fractionDigits);
  const rateScale = TEN ** BigInt(RATE_DIGITS);
  const ofSat = (quote.centsPerBtc * minorPerDollar * TEN ** BigInt(SAT_OFFSET)) / (CENTS_PER_DOLLAR * SATS_PER_BTC * rateScale);
  const ofCent = (minorPerDollar * TEN ** BigInt(CENT_OFFSET)) / (CENTS_PER_DOLLAR * rateScale);
  // Nothing can be divided by a price of zero.
  if (![ofSat, ofCent].every((base) => base > 0n && base <= MAX_SAFE_BASE)) return undefined;
  return { currency, ofSat: quoteOf(ofSat, SAT_OFFSET), ofCent: quoteOf(ofCent, CENT_OFFSET) };
}

const quoteOf = (base: bigint, offset: number): Quote => ({ base: Number(base), offset, currencyUnit: 'MINOR' });

const lists = new WeakMap<PriceQuote, readonly Currency[]>();

/** The currencies in which the quote has a price: the US dollar first, then by code. */
export function listCurrencies(quote: PriceQuote): readonly Currency[] {
  const known = lists.get(quote);
  if (known) return known;
  const others = Object.keys(quote.rates ?? {}).filter((id) => id !== 'USD');
  const list = ['USD', ...others.sort()].flatMap((id) => findDisplayPrice(id, quote)?.currency ?? []);
  lists.set(quote, list);
  return list;
}

/** How many minor units of a price, such as satoshis, an amount in the major unit of its currency buys, to the nearest. */
export function unitsFor(amount: number, { currency }: DisplayPrice, { base, offset }: Quote): bigint {
  // More digits than the minor unit has: a thousandth of a cent is worth a satoshi, too.
  const digits = currency.fractionDigits + RATE_DIGITS;
  const [whole = '0', fraction = ''] = amount.toFixed(digits).split('.');
  const worth = BigInt(whole + fraction) * TEN ** BigInt(offset);
  const price = BigInt(base) * TEN ** BigInt(RATE_DIGITS);
  return (worth + price / 2n) / price;
}
