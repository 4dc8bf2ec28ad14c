import { columns, type JsonRow } from '../database/index.js';
import { TransactionEntity } from './transaction.entity.js';

/** One row of the history as resolvers, pages and events use it. */
export type TransactionRow = TransactionEntity;

/** The row as JSON in an event. */
export type TransactionRecord = JsonRow<TransactionRow>;

declare module '../events/event-map.js' {
  interface EventMap {
    /** A row of the history is new or has changed. The key is the account's id. */
    'transaction.changed': TransactionRecord;
  }
}

export const TRANSACTION_COLUMNS = columns(TransactionEntity);

export const transactionOf = (record: TransactionRecord): TransactionRow => TRANSACTION_COLUMNS.fromJson(record);
