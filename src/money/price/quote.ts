import { MSAT_PER_BTC, MSAT_PER_SAT, type Msat } from '../../platform/kernel/money.js';

/** A price as the API gives it: `base / 10^offset` is the worth of one minor unit, in minor units of the display currency. */
export interface Quote {
  readonly base: number;
  readonly offset: number;
  readonly currencyUnit: string;
}

/** The API gives prices as numbers that JSON keeps exact. */
export const MAX_SAFE_BASE = BigInt(Number.MAX_SAFE_INTEGER);
export const SAT_OFFSET = 12;
export const CENT_OFFSET = 6;
const SAT_DIGITS = 8;
const CENT_DIGITS = 2;
/** 10^12 (the offset) / 10^8 (satoshis in a bitcoin). */
const CENTS_PER_BTC_TO_BASE = 10_000n;

export const quoteOfSat = (centsPerBtc: bigint): Quote => ({
  base: Number(centsPerBtc * CENTS_PER_BTC_TO_BASE),
  offset: SAT_OFFSET,
  currencyUnit: 'MINOR',
});

/** One satoshi in satoshis: what a transaction shows that was made without a price to be trusted. */
export const quoteInBitcoin = (): Quote => ({ base: 10 ** SAT_OFFSET, offset: SAT_OFFSET, currencyUnit: 'MINOR' });

export const quoteOfCent = (): Quote => ({ base: 10 ** CENT_OFFSET, offset: CENT_OFFSET, currencyUnit: 'MINOR' });

export function centsOfMsat(msat: Msat, centsPerBtc: bigint): bigint {
  return roundedDivision(msat * centsPerBtc, MSAT_PER_BTC);
}

/** The quotient to the nearest whole number, halves away from zero. */
export function roundedDivision(dividend: bigint, divisor: bigint): bigint {
  const half = (dividend < 0n ? -divisor : divisor) / 2n;
  return (dividend + half) / divisor;
}

/** Whole msat that `cents` buy, rounded towards zero. */
export const msatOfCents = (cents: bigint, centsPerBtc: bigint): Msat => (cents * MSAT_PER_BTC) / centsPerBtc;

/** `-0.00001050`: millisatoshis as a decimal number of bitcoin, to the nearest satoshi. */
export function bitcoinOfMsat(msat: Msat): string {
  const absolute = ((msat < 0n ? -msat : msat) + MSAT_PER_SAT / 2n) / MSAT_PER_SAT;
  return `${msat < 0n ? '-' : ''}${decimalText(absolute, SAT_DIGITS)}`;
}

/** `-1.05`: cents as a decimal number of dollars. */
export const dollarsOfCents = (cents: bigint): string => decimalText(cents, CENT_DIGITS);

/** A whole number of minor units as a decimal number of the major unit, with all decimal places of the currency. */
export function decimalText(minor: bigint, fractionDigits: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(fractionDigits + 1, '0');
  const whole = digits.length - fractionDigits;
  return `${minor < 0n ? '-' : ''}${digits.slice(0, whole)}${fractionDigits > 0 ? `.${digits.slice(whole)}` : ''}`;
}

/** A price of several satoshis, with as many decimal places as a JSON number keeps exact. */
export interface AmountPrice extends Quote {
  /** Without trailing zeros. */
  readonly formattedAmount: string;
}

export function priceOfSats(sats: number, centsPerBtc: bigint): AmountPrice {
  let base = BigInt(quoteOfSat(centsPerBtc).base) * BigInt(sats);
  let offset = SAT_OFFSET;
  for (; base > MAX_SAFE_BASE; offset--) base /= 10n;
  return { base: Number(base), offset, currencyUnit: 'USDCENT', formattedAmount: shortened(decimalText(base, offset)) };
}

const shortened = (decimal: string): string => decimal.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
