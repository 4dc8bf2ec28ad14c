import { columns, type RowOf } from '../../platform/database/index.js';
import { TransactionEntity } from './transaction.entity.js';

/** One row of the history as resolvers, pages and events use it. */
export type TransactionRow = TransactionEntity;

/** The output of a bitcoin transaction that settles the row with this id. */
export interface OnChainSettlementRow {
  readonly id: string;
  readonly transactionHash: string | null;
  readonly vout: number | null;
}

declare module '../../platform/events/event-map.js' {
  interface EventMap {
    /** A row of the history is new or has changed. The key is the account's id. */
    'transaction.changed': TransactionRow;
  }
}

export const TRANSACTION_COLUMNS = columns(TransactionEntity);

/** Less than half of the columns, and none that is long: most of what a page of rows costs is reading its columns. */
export const BRIEF_COLUMNS = TRANSACTION_COLUMNS.only(
  'id',
  'accountId',
  'currency',
  'direction',
  'status',
  'amount',
  'fee',
  'memo',
  'createdAt',
  'clockAt',
);

export type BriefTransactionRow = RowOf<typeof BRIEF_COLUMNS>;

/** The columns of a file, without the payment requests: they are most of a row, and no file has them. */
export const FILE_COLUMNS = TRANSACTION_COLUMNS.except(
  'externalIdByOwner',
  'initiation',
  'settlement',
  'paymentRequest',
  'counterpartyWalletId',
  'failure',
  'settledAt',
  'vout',
  'approvalUntil',
);

export type FileRow = RowOf<typeof FILE_COLUMNS>;

/** When a row was made, for people and programs; its `createdAt` orders rows. */
export const madeAt = ({ createdAt, clockAt }: Pick<TransactionRow, 'createdAt' | 'clockAt'>): Date => clockAt ?? createdAt;

/** An event stores the state of a row at its time. Amounts are text, because JSON numbers are exact only up to 2^53. */
export interface TransactionChange extends Pick<TransactionRow, 'id' | 'status'> {
  readonly amount: string;
  readonly fee: string;
}

/** The row as it was at a change: a payment that has ended since was pending then, and its result was unknown. */
export const rowAt = (row: TransactionRow, { status, amount, fee }: TransactionChange): TransactionRow =>
  row.status === status
    ? row
    : { ...row, status, amount: BigInt(amount), fee: BigInt(fee), preimage: null, failure: null, settledAt: null };
