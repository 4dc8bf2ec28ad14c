import { findCurrency, type Currency } from './currency.js';
import { billionthsOf, frozenPrice, RATE_DIGITS, type DisplayRate } from './frozen-price.js';
import type { PriceQuote } from './price-source.js';
import type { Quote } from './quote.js';

/** The worth of one satoshi and of one US cent, in the minor unit of a currency. */
export interface DisplayPrice {
  readonly currency: Currency;
  readonly ofSat: Quote;
  readonly ofCent: Quote;
}

const TEN = 10n;

/** @returns undefined if the quote has no price in this currency */
export function findDisplayPrice(id: string, quote: PriceQuote): DisplayPrice | undefined {
  const currency = findCurrency(id);
  const rate = id === 'USD' ? 1 : quote.rates && Object.hasOwn(quote.rates, id) ? quote.rates[id] : undefined;
  if (!currency || rate === undefined) return undefined;
  const frozen = { currency: id, billionthsPerDollar: billionthsOf(rate) };
  const [ofSat, ofCent] = [frozenPrice(frozen, quote.centsPerBtc), frozenPrice(frozen)];
  return ofSat && ofCent && { currency, ofSat: ofSat.quote, ofCent: ofCent.quote };
}

/** The rates of the currencies that have a price, the US dollar apart. */
export function listRates(quote: PriceQuote): readonly DisplayRate[] {
  return listCurrencies(quote).flatMap(({ id }) => {
    const rate = quote.rates?.[id];
    return id === 'USD' || rate === undefined ? [] : [{ currency: id, billionthsPerDollar: billionthsOf(rate) }];
  });
}

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

/** Returns how many minor units of a price, such as satoshis, an amount in the major unit of its currency buys, to the nearest. */
export function unitsFor(amount: number, { currency }: DisplayPrice, { base, offset }: Quote): bigint {
  // More digits than the minor unit has: a thousandth of a cent is worth a satoshi, too.
  const digits = currency.fractionDigits + RATE_DIGITS;
  const [whole = '0', fraction = ''] = amount.toFixed(digits).split('.');
  const worth = BigInt(whole + fraction) * TEN ** BigInt(offset);
  const price = BigInt(base) * TEN ** BigInt(RATE_DIGITS);
  return (worth + price / 2n) / price;
}
