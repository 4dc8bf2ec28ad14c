import { MSAT_PER_SAT } from '../../kernel/money.js';
import { bitcoin, dollars, type Money } from '../../page/index.js';
import { centsOfMsat } from '../../price/index.js';
import type { TransactionRow } from '../../transaction/index.js';

export const moneyOf = (minor: bigint, currency: TransactionRow['currency']): Money =>
  currency === 'BTC' ? bitcoin(minor) : dollars(minor);

/**
 * The amount that a page shows, signed. While a payment is pending, its row also holds the fee limit, which is not paid yet, and was
 * rounded up to whole sats: both are subtracted.
 */
export function shownAmount({ amount, fee, status, currency }: TransactionRow): bigint {
  if (status !== 'PENDING' || currency !== 'BTC') return amount;
  const withoutFee = amount + fee;
  return withoutFee - (withoutFee % MSAT_PER_SAT);
}

/** The value of bitcoin in dollars, at a price. */
export const worth = (msat: bigint, centsPerBtc: bigint): Money => dollars(centsOfMsat(msat, centsPerBtc));
