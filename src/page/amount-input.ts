import { dollarText, satsText } from './money.js';

export type AmountUnit = 'sats' | 'USD';

/** A typed amount: sats or cents, or why it cannot be read. */
export type AmountReading =
  | { readonly kind: 'amount'; readonly value: bigint }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; /** A sentence with the rule and the remedy. */ readonly reason: string };

/** More digits than all existing money. */
const MAX_DIGITS = 15;
const GROUPED = /^\d{1,3}(?:([ ,])\d{3}(?:\1\d{3})*)?$/;
const PLAIN = /^\d+$/;

const whole = (text: string): string | null => (GROUPED.test(text) || PLAIN.test(text) ? text.replace(/[ ,]/g, '') : null);
const refused = (reason: string): AmountReading => ({ kind: 'refused', reason });

function amount(digits: string): AmountReading {
  const trimmed = digits.replace(/^0+(?=\d)/, '');
  return trimmed.length > MAX_DIGITS
    ? refused('That is more than there is. Check the number of digits.')
    : { kind: 'amount', value: BigInt(trimmed) };
}

function readSats(text: string): AmountReading {
  const digits = whole(text);
  if (digits !== null) return amount(digits);
  // "1.000" is a thousand in half of the world and one in the other half: refuse it and ask, never guess.
  if (/^\d{1,3}(?:\.\d{3})+$/.test(text)) {
    const large = text.replace(/\./g, '');
    const [small = '', rest = ''] = text.split('.');
    const other = /^0+$/.test(rest) && text.split('.').length === 2 ? `, or ${small} for ${satsText(BigInt(small))}` : '';
    return refused(`That can be read in two ways. Type ${large} for ${satsText(BigInt(large))}${other}.`);
  }
  if (/^\d[\d ,]*\.\d+$/.test(text)) return refused('Sats are whole numbers. Leave out the point and what follows.');
  return refused('Type a number of sats, like 1,000.');
}

function readDollars(text: string): AmountReading {
  const [before = '', cents, ...more] = text.split('.');
  const digits = more.length === 0 ? whole(before) : null;
  if (digits !== null && (cents === undefined || /^\d{1,2}$/.test(cents))) return amount(digits + (cents ?? '').padEnd(2, '0'));
  if (/^\d{1,3}\.\d{3}$/.test(text)) {
    const [small = '', rest = ''] = text.split('.');
    const other = rest === '000' ? `, or ${small} for ${dollarText(BigInt(small) * 100n)}` : '';
    return refused(`That can be read in two ways. Type ${small}${rest} for ${dollarText(BigInt(small + rest) * 100n)}${other}.`);
  }
  if (/^\d+,\d{2}$/.test(text)) return refused(`Put a point before the cents: ${text.replace(',', '.')}.`);
  return refused('Type an amount of dollars, like 12.34.');
}

/** Reads an amount field: `1000`, `1,000` and `1 000` for both units, `12.34` for dollars. */
export function readAmount(text: string, unit: AmountUnit): AmountReading {
  // Copied numbers contain no-break and thin spaces.
  const plain = text.replace(/\s/g, ' ').trim();
  if (plain === '') return { kind: 'empty' };
  return unit === 'sats' ? readSats(plain) : readDollars(plain);
}
