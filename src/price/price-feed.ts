import { EventEmitter } from 'node:events';
import { listen, withCleanup, type Stream } from '../events/index.js';
import type { PriceQuote } from './price-source.js';
import type { PriceService } from './price.service.js';
import { MAX_SAFE_BASE, quoteOfSat, SAT_OFFSET, type Quote } from './quote.js';

/**
 * What `read` makes of the price now, then again whenever that has changed.
 * @param read gets undefined while there is no price to be trusted
 * @param keyOf two values with the same key are no change
 */
export function followPrice<T>(prices: PriceService, read: (quote: PriceQuote | undefined) => T, keyOf: (value: T) => string): Stream<T> {
  const bus = new EventEmitter();
  const stream = listen<T>(bus, 'value');
  let last: string | undefined;
  const look = (): void => {
    const value = read(prices.quote);
    const key = keyOf(value);
    if (key !== last) bus.emit('value', value);
    last = key;
  };
  const leave = prices.onChange(look);
  look();
  return withCleanup(stream, leave);
}

/** A price of several satoshis, with as many decimal places as a JSON number keeps exact. */
export interface AmountPrice extends Quote {
  /** The price as a decimal number. */
  readonly formattedAmount: string;
}

/** What `sats` satoshis are worth in US cents. */
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
