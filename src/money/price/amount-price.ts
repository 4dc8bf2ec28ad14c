import { MAX_SAFE_BASE, quoteOfSat, SAT_OFFSET, type Quote } from './quote.js';

/** A price of several satoshis, with as many decimal places as a JSON number keeps exact. */
export interface AmountPrice extends Quote {
  /** The price as a decimal number. */
  readonly formattedAmount: string;
}

export function priceOfSats(sats: number, centsPerBtc: bigint): AmountPrice {
  let base = BigInt(quoteOfSat(centsPerBtc).base) * BigInt(sats);
  let offset = SAT_OFFSET;
  for (; base > MAX_SAFE_BASE; offset--) base /= 10n;
  return { base: Number(base), offset, currencyUnit: 'USDCENT', formattedAmount: decimalOf(base, offset) };
}

/** `base / 10^offset` without trailing zeros. */
function decimalOf(base: bigint, offset: number): string {
  const digits = base.toString().padStart(offset + 1, '0');
  const fraction = digits.slice(digits.length - offset).replace(/0+$/, '');
  return digits.slice(0, digits.length - offset) + (fraction && `.${fraction}`);
}
