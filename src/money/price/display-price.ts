import { MSAT_PER_SAT, SATS_PER_BTC } from '../../platform/kernel/money.js';
import { findCurrency, type Currency } from './currency.js';
import type { PriceQuote } from './price-source.js';
import { CENT_OFFSET, centsOfMsat, decimalText, dollarsOfCents, MAX_SAFE_BASE, roundedDivision, SAT_OFFSET, type Quote } from './quote.js';

/** The history stores beside a transaction how many units of another currency one US dollar is worth. */
export interface DisplayRate {
  readonly currency: string;
  readonly billionthsPerDollar: bigint;
}

/** A price of the past in a display currency. */
export interface FrozenPrice {
  readonly quote: Quote;
  /** An amount in msat or US cents as a decimal number of the currency's major unit, to the nearest. */
  readonly textOf: (minor: bigint) => string;
}

const CENTS_PER_DOLLAR = 100n;
const TEN = 10n;
/** Rates are integers, in billionths: what a decimal rate says beyond them is far below one minor unit. */
const RATE_DIGITS = 9;

const billionthsOf = (rate: number): bigint => BigInt(Math.round(rate * 10 ** RATE_DIGITS));

/**
 * @param centsPerBtc undefined for amounts in US cents
 * @returns undefined for a currency that is not known, and where a price is zero or too large for a number
 */
export function frozenPrice({ currency, billionthsPerDollar }: DisplayRate, centsPerBtc?: bigint): FrozenPrice | undefined {
  const digits = findCurrency(currency)?.fractionDigits;
  if (digits === undefined) return undefined;
  const centScale = CENTS_PER_DOLLAR * TEN ** BigInt(RATE_DIGITS);
  const minorPerDollar = billionthsPerDollar * TEN ** BigInt(digits);
  const ofCents = centsPerBtc === undefined;
  const worth = ofCents ? minorPerDollar : centsPerBtc * minorPerDollar;
  const scale = ofCents ? centScale : centScale * SATS_PER_BTC;
  const offset = ofCents ? CENT_OFFSET : SAT_OFFSET;
  const base = (worth * TEN ** BigInt(offset)) / scale;
  if (base <= 0n || base > MAX_SAFE_BASE) return undefined;
  const amountScale = ofCents ? scale : scale * MSAT_PER_SAT;
  return {
    quote: { base: Number(base), offset, currencyUnit: 'MINOR' },
    textOf: (minor) => decimalText(roundedDivision(minor * worth, amountScale), digits),
  };
}

const rateIn = (id: string, { rates }: PriceQuote): number | undefined => (rates && Object.hasOwn(rates, id) ? rates[id] : undefined);

/** The worth of one satoshi and of one US cent, in the minor unit of a currency. */
export interface DisplayPrice {
  readonly currency: Currency;
  readonly ofSat: Quote;
  readonly ofCent: Quote;
}

/** @returns undefined if the quote has no price in this currency */
export function findDisplayPrice(id: string, quote: PriceQuote): DisplayPrice | undefined {
  const currency = findCurrency(id);
  const rate = id === 'USD' ? 1 : rateIn(id, quote);
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

/** The currencies in which the quote has a price: the US dollar first, then by code. */
export function listCurrencies(quote: PriceQuote): readonly Currency[] {
  const others = Object.keys(quote.rates ?? {}).filter((id) => id !== 'USD');
  return ['USD', ...others.sort()].flatMap((id) => findDisplayPrice(id, quote)?.currency ?? []);
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

export interface DisplayAmount {
  readonly currency: string;
  /** A decimal number of its major unit, with all decimal places: "-12.50". */
  readonly text: string;
}

/**
 * What an amount is worth now: in the display currency of an account, or in US dollars where that currency has no price any more.
 * @param minor msat, or US cents
 */
export function displayAmountOf(minor: bigint, of: 'BTC' | 'USD', currency: string, quote: PriceQuote): DisplayAmount {
  const rate = currency === 'USD' ? undefined : rateIn(currency, quote);
  const centsPerBtc = of === 'BTC' ? quote.centsPerBtc : undefined;
  const price = rate === undefined ? undefined : frozenPrice({ currency, billionthsPerDollar: billionthsOf(rate) }, centsPerBtc);
  if (price) return { currency, text: price.textOf(minor) };
  return { currency: 'USD', text: dollarsOfCents(of === 'BTC' ? centsOfMsat(minor, quote.centsPerBtc) : minor) };
}
