import { MSAT_PER_BTC, MSAT_PER_SAT, type Msat } from '../kernel/money.js';

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
/** 10^12 (the offset) / 10^8 (satoshis in a bitcoin). */
const CENTS_PER_BTC_TO_BASE = 10_000n;

/** One satoshi in US cents. */
export const quoteOfSat = (centsPerBtc: bigint): Quote => ({
  base: Number(centsPerBtc * CENTS_PER_BTC_TO_BASE),
  offset: SAT_OFFSET,
  currencyUnit: 'MINOR',
});

/** One satoshi in satoshis: what a transaction shows that was made without a price to be trusted. */
export const quoteInBitcoin = (): Quote => ({ base: 10 ** SAT_OFFSET, offset: SAT_OFFSET, currencyUnit: 'MINOR' });

/** One US cent in US cents. */
export const quoteOfCent = (): Quote => ({ base: 10 ** CENT_OFFSET, offset: CENT_OFFSET, currencyUnit: 'MINOR' });

/** Whole US cents that `msat` are worth, to the nearest. */
export function centsOfMsat(msat: Msat, centsPerBtc: bigint): bigint {
  const worth = msat * centsPerBtc;
  const half = (worth < 0n ? -MSAT_PER_BTC : MSAT_PER_BTC) / 2n;
  return (worth + half) / MSAT_PER_BTC;
}

/** Whole msat that `cents` buy, rounded towards zero. */
export const msatOfCents = (cents: bigint, centsPerBtc: bigint): Msat => (cents * MSAT_PER_BTC) / centsPerBtc;

/** `-0.00001050`: millisatoshis as a decimal number of bitcoin, to the nearest satoshi. */
export function bitcoinOfMsat(msat: Msat): string {
  const absolute = ((msat < 0n ? -msat : msat) + MSAT_PER_SAT / 2n) / MSAT_PER_SAT;
  const digits = absolute.toString().padStart(9, '0');
  return `${msat < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** `-1.05`: cents as a decimal number of dollars. */
export function dollarsOfCents(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
