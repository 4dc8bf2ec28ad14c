import type { Currency } from './wallet.row.js';

/** One row of the history as resolvers, pages and events use it. Amounts in minor units: msat or cents. */
export interface TransactionRow {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string;
  readonly currency: Currency;
  readonly direction: 'SEND' | 'RECEIVE';
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILURE';
  /** Signed; of a send it includes the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly memo: string | null;
  readonly externalId: string | null;
  readonly externalIdByOwner: boolean;
  readonly initiation: 'ln' | 'intraledger';
  readonly settlement: 'ln' | 'intraledger';
  readonly paymentHash: string | null;
  readonly paymentRequest: string | null;
  readonly preimage: string | null;
  readonly counterpartyWalletId: string | null;
  readonly counterpartyUsername: string | null;
  readonly failure: string | null;
  readonly centsPerBtc: bigint;
  readonly createdAt: Date;
}

/** The row as the database returns it: from a query, or as JSON in an event (where amounts and times are text). */
export interface TransactionRecord {
  readonly id: string;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly currency: Currency;
  readonly direction: 'SEND' | 'RECEIVE';
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILURE';
  readonly amount: bigint | string;
  readonly fee: bigint | string;
  readonly memo: string | null;
  readonly external_id: string | null;
  readonly external_id_by_owner: boolean;
  readonly initiation: 'ln' | 'intraledger';
  readonly settlement: 'ln' | 'intraledger';
  readonly payment_hash: string | null;
  readonly payment_request: string | null;
  readonly preimage: string | null;
  readonly counterparty_wallet_id: string | null;
  readonly counterparty_username: string | null;
  readonly failure: string | null;
  readonly cents_per_btc: bigint | string;
  readonly created_at: Date | string;
}

declare module '../events/event-map.js' {
  interface EventMap {
    /** A row of the history is new or has changed. The key is the account's id. */
    'transaction.changed': TransactionRecord;
  }
}

export const transactionOf = (record: TransactionRecord): TransactionRow => ({
  id: record.id,
  accountId: record.account_id,
  walletId: record.wallet_id,
  currency: record.currency,
  direction: record.direction,
  status: record.status,
  amount: BigInt(record.amount),
  fee: BigInt(record.fee),
  memo: record.memo,
  externalId: record.external_id,
  externalIdByOwner: record.external_id_by_owner,
  initiation: record.initiation,
  settlement: record.settlement,
  paymentHash: record.payment_hash,
  paymentRequest: record.payment_request,
  preimage: record.preimage,
  counterpartyWalletId: record.counterparty_wallet_id,
  counterpartyUsername: record.counterparty_username,
  failure: record.failure,
  centsPerBtc: BigInt(record.cents_per_btc),
  createdAt: new Date(record.created_at),
});
