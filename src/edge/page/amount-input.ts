import { MAX_CENTS, MAX_SATS } from '../../platform/kernel/money.js';
import { dollarText, satsText } from './money.js';

export type AmountUnit = 'sats' | 'USD';

export type AmountReading =
  | { readonly kind: 'amount'; readonly value: bigint }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; /** A sentence with the rule and the remedy. */ readonly reason: string };

export interface AmountBound {
  readonly largest: bigint;
  readonly rule: string;
}

const MAX_DIGITS = 15;
/** "0,001" is not a thousand: it is a fraction with a decimal comma. */
const GROUPED = /^[1-9]\d{0,2}([ ,])\d{3}(?:\1\d{3})*$/;
const PLAIN = /^\d+$/;

const whole = (text: string): string | null => (GROUPED.test(text) || PLAIN.test(text) ? text.replace(/[ ,]/g, '') : null);
const refused = (reason: string): AmountReading => ({ kind: 'refused', reason });

export const amountUpTo = (largest: bigint, unit: AmountUnit): AmountBound => ({
  largest,
  rule: `The largest amount is ${unit === 'sats' ? satsText(largest) : dollarText(largest)}.`,
});
const BOUNDS: Readonly<Record<AmountUnit, AmountBound>> = {
  sats: amountUpTo(BigInt(MAX_SATS), 'sats'),
  USD: amountUpTo(BigInt(MAX_CENTS), 'USD'),
};

function amount(digits: string, { largest, rule }: AmountBound): AmountReading {
  const trimmed = digits.replace(/^0+(?=\d)/, '');
  const isTooLarge = trimmed.length > MAX_DIGITS || BigInt(trimmed) > largest;
  return isTooLarge ? refused(rule) : { kind: 'amount', value: BigInt(trimmed) };
}

interface PossibleAmount {
  readonly text: string;
  readonly money: string;
}

/** "Did you mean 1,000 sats or 1 sat? Enter 1000 or 1." */
const unclear = (large: PossibleAmount, small: PossibleAmount | null): string =>
  small === null
    ? `Did you mean ${large.money}? Enter ${large.text}.`
    : `Did you mean ${large.money} or ${small.money}? Enter ${large.text} or ${small.text}.`;

/** "0.5", "0,001": less than the smallest amount of whole sats. */
const isBelowOne = (text: string): boolean => /^0+[.,]\d+$/.test(text);

function tooExact(text: string): string {
  const cut = text.slice(0, text.indexOf('.') + 3);
  if (/^[0.]+$/.test(cut)) return 'The smallest amount is $0.01.';
  return `Dollars have two decimal places: enter ${cut.replace(/^0+(?=\d)/, '')}.`;
}

function readSats(text: string, bound: AmountBound): AmountReading {
  const digits = whole(text);
  if (digits !== null) return amount(digits, bound);
  if (isBelowOne(text)) return refused('The smallest amount is 1 sat. Sats are whole numbers.');
  // "1.000" is a thousand in half of the world and one in the other half: refuse it and ask, never guess.
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(text)) {
    const large = text.replace(/\./g, '');
    const reading = amount(large, bound);
    if (reading.kind === 'refused') return reading;
    const [small = '', rest = ''] = text.split('.');
    const other = /^0+$/.test(rest) && text.split('.').length === 2 ? { text: small, money: satsText(BigInt(small)) } : null;
    return refused(unclear({ text: large, money: satsText(BigInt(large)) }, other));
  }
  if (/^\d[\d ,]*\.\d+$/.test(text)) return refused('Sats are whole numbers. Remove the decimals.');
  return refused('Enter a number of sats, for example 1,000.');
}

function readDollars(text: string, bound: AmountBound): AmountReading {
  const [before = '', fraction, ...more] = text.split('.');
  const digits = more.length === 0 ? whole(before) : null;
  if (digits !== null && (fraction === undefined || /^\d{1,2}$/.test(fraction)))
    return amount(digits + (fraction ?? '').padEnd(2, '0'), bound);
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(text)) {
    const [small = '', rest = ''] = text.split('.');
    const cut = `${small}.${rest.slice(0, 2)}`;
    const large = { text: small + rest, money: dollarText(BigInt(small + rest) * 100n) };
    if (!rest.endsWith('0')) return refused(`Dollars have two decimal places: enter ${cut}, or ${large.text} for ${large.money}.`);
    const cents = BigInt(small + rest.slice(0, 2));
    return refused(unclear(large, { text: rest === '000' ? small : cut, money: dollarText(cents) }));
  }
  if (/^\d+,\d{1,2}$/.test(text)) return refused(`Use a decimal point: ${text.replace(',', '.')}.`);
  if (/^\d+[.,]\d{3,}$/.test(text)) return refused(tooExact(text.replace(',', '.')));
  return refused('Enter an amount in dollars, for example 12.34.');
}

/** `1000`, `1,000` and `1 000` are read for both units, `12.34` for dollars. */
export function readAmount(text: string, unit: AmountUnit, bound = BOUNDS[unit]): AmountReading {
  // Copied numbers contain no-break and thin spaces.
  const plain = text.replace(/\s/g, ' ').trim();
  if (plain === '') return { kind: 'empty' };
  return unit === 'sats' ? readSats(plain, bound) : readDollars(plain, bound);
}
