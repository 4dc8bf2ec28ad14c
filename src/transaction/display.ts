import { satsCeil } from '../kernel/money.js';
import { bitcoinOfMsat, centsOfMsat, dollarsOfCents, quoteInBitcoin, quoteOfCent, quoteOfSat, type Quote } from '../price/index.js';
import type { TransactionRow } from './transaction.row.js';

/** In the display currency: dollars, or bitcoin if there was no price to be trusted. @param minor msat or cents, as the row's amounts */
export function shown(minor: bigint, { currency, centsPerBtc }: TransactionRow): string {
  if (currency === 'USD') return dollarsOfCents(minor);
  return centsPerBtc === null ? bitcoinOfMsat(minor) : dollarsOfCents(centsOfMsat(minor, centsPerBtc));
}

/** The currency of `shown`. */
export const displayCurrencyOf = ({ currency, centsPerBtc }: TransactionRow): 'BTC' | 'USD' =>
  currency === 'BTC' && centsPerBtc === null ? 'BTC' : 'USD';

/** The worth of one minor unit of the wallet's currency, in the display currency. */
export function priceOf({ currency, centsPerBtc }: TransactionRow): Quote {
  if (currency === 'USD') return quoteOfCent();
  return centsPerBtc === null ? quoteInBitcoin() : quoteOfSat(centsPerBtc);
}

/** The fee in whole satoshis (rounded up) or cents. */
export const feeOf = ({ currency, fee }: TransactionRow): number => (currency === 'BTC' ? satsCeil(fee) : Number(fee));
