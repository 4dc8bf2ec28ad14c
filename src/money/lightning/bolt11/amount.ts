import { MAX_AMOUNT_MSAT, MSAT_PER_BTC } from '../../../platform/kernel/money.js';
import { Bolt11Error } from './invoice.js';

/** BOLT 11, "Human-Readable Part". `p` is a tenth of a millisatoshi and is handled apart. */
const MSAT_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['', MSAT_PER_BTC],
  ['m', 100_000_000n],
  ['u', 100_000n],
  ['n', 100n],
]);

/** A JavaScript BigInt of thousands of digits takes time to read; no payable amount has more than these. */
const MAX_DIGITS = 20;

/**
 * @param text digits and at most one multiplier letter, as in `2500u`
 * @throws Bolt11Error for zero, for parts of a millisatoshi, and above 21 million bitcoin
 */
export function msatOfAmount(text: string): bigint {
  const [, digits, unit = ''] = /^([1-9][0-9]*)([munp]?)$/.exec(text) ?? [];
  if (digits === undefined || digits.length > MAX_DIGITS)
    throw new Bolt11Error('amount', 'The amount is not a positive number with a known multiplier');
  const value = BigInt(digits);
  const perUnit = MSAT_PER_UNIT.get(unit);
  if (perUnit === undefined && value % 10n !== 0n) throw new Bolt11Error('amount', 'The amount has a fraction of a millisatoshi');
  const msat = perUnit === undefined ? value / 10n : value * perUnit;
  if (msat > MAX_AMOUNT_MSAT) throw new Bolt11Error('amount', 'The amount exceeds 21 million bitcoin');
  return msat;
}

/** The shortest way to write the amount. */
export function amountOfMsat(msat: bigint): string {
  if (msat <= 0n || msat > MAX_AMOUNT_MSAT) throw new Bolt11Error('amount', 'The amount must be positive and at most 21 million bitcoin');
  for (const [unit, perUnit] of MSAT_PER_UNIT) if (msat % perUnit === 0n) return `${msat / perUnit}${unit}`;
  return `${msat * 10n}p`;
}
