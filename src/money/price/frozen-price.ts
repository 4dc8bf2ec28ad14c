import { MSAT_PER_SAT, SATS_PER_BTC } from '../../platform/kernel/money.js';
import { findCurrency } from './currency.js';
import { CENT_OFFSET, decimalText, MAX_SAFE_BASE, roundedDivision, SAT_OFFSET, type Quote } from './quote.js';

/** The history stores beside a transaction how many units of another currency one US dollar is worth. */
export interface DisplayRate {
  readonly currency: string;
  readonly billionthsPerDollar: bigint;
}

/** A price of the past in a display currency. */
export interface FrozenPrice {
  /** One satoshi or one US cent. */
  readonly quote: Quote;
  /** An amount in msat or US cents as a decimal number of the currency's major unit, to the nearest. */
  readonly textOf: (minor: bigint) => string;
}

const CENTS_PER_DOLLAR = 100n;
const TEN = 10n;
/** Rates are integers, in billionths: what a decimal rate says beyond them is far below one minor unit. */
export const RATE_DIGITS = 9;

export const billionthsOf = (rate: number): bigint => BigInt(Math.round(rate * 10 ** RATE_DIGITS));

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
