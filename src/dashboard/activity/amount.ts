import { MSAT_PER_SAT } from '../../kernel/money.js';
import { bitcoin, dollars, type Money } from '../../page/index.js';
import { centsOfMsat, msatOfCents } from '../../price/index.js';
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

/** The value of bitcoin in dollars, or of dollars in bitcoin; null without a price. */
export function worth(minor: bigint, currency: TransactionRow['currency'], centsPerBtc: bigint | null): Money | null {
  if (centsPerBtc === null) return null;
  return currency === 'BTC' ? dollars(centsOfMsat(minor, centsPerBtc)) : bitcoin(msatOfCents(minor, centsPerBtc));
}
