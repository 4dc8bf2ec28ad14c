import type { Result } from '../graphql/index.js';
import { SATS_PER_BTC } from '../kernel/money.js';
import { toApiAmount } from '../wallet/index.js';
import { unitsPerDollarOf } from './display.js';
import type { TransactionRow } from './transaction.row.js';

export type UserUpdate = NonNullable<Result<'MyUpdatesPayload', 'update'>>;

const CENTS_PER_DOLLAR = 100;

/** The update that Sluice publishes to the account for a change of its history; undefined for a pending transaction. */
export function updateOf(transaction: TransactionRow): UserUpdate | undefined {
  if (transaction.status === 'PENDING') return undefined;
  if (transaction.direction === 'SEND')
    return { __typename: 'PaymentUpdate', status: transaction.status === 'SUCCESS' ? 'SUCCESS' : 'FAILURE', transaction };
  if (transaction.initiation === 'ln') {
    return {
      __typename: 'LnUpdate',
      paymentHash: transaction.paymentHash ?? '',
      status: 'PAID',
      walletId: transaction.walletId,
      transaction,
    };
  }
  // 0 without a price: both fields are deprecated, and cannot be null.
  const usdPerSat = Number(transaction.centsPerBtc ?? 0n) / CENTS_PER_DOLLAR / Number(SATS_PER_BTC);
  return {
    __typename: 'IntraLedgerUpdate',
    txNotificationType: 'IntraLedgerReceipt',
    amount: toApiAmount(transaction.amount, transaction.currency),
    displayCurrencyPerSat: usdPerSat * unitsPerDollarOf(transaction),
    usdPerSat,
    walletId: transaction.walletId,
    transaction,
  };
}
