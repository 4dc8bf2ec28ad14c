import { Injectable } from '@nestjs/common';
import { Database, sliceQuery, sliceStatements, type Slice, type Statement } from '../database/index.js';
import { transactionOf, type TransactionRecord, type TransactionRow } from './transaction.row.js';

/** The scope of a history: one wallet, or some wallets of one account. */
export type HistoryScope = { readonly walletId: string } | { readonly accountId: string; readonly walletIds: readonly string[] };

const OF_WALLET = sliceStatements({
  name: 'history_wallet',
  select: 'SELECT * FROM transaction WHERE wallet_id = $1',
  values: 1,
  id: 'id',
});
const OF_ACCOUNT = sliceStatements({
  name: 'history_account',
  select: 'SELECT * FROM transaction WHERE account_id = $1 AND wallet_id = ANY ($2::uuid[])',
  values: 2,
  id: 'id',
});
const BY_HASH: Statement = {
  name: 'history_by_hash',
  text: 'SELECT * FROM transaction WHERE payment_hash = $1 AND wallet_id = $2 ORDER BY created_at DESC, id DESC LIMIT 100',
};
const BY_ID: Statement = { name: 'history_by_id', text: 'SELECT * FROM transaction WHERE id = $1' };

/** The history of wallets: newest first, one statement a page. */
@Injectable()
export class HistoryService {
  constructor(private readonly database: Database) {}

  /** @returns up to one row more than the limit: the extra row shows that there are more */
  async list(scope: HistoryScope, pageRequest: Slice): Promise<TransactionRow[]> {
    const [statement, values] =
      'walletId' in scope
        ? sliceQuery(OF_WALLET, [scope.walletId], pageRequest)
        : sliceQuery(OF_ACCOUNT, [scope.accountId, scope.walletIds], pageRequest);
    const records = await this.database.query<TransactionRecord>(statement, values);
    return records.map(transactionOf);
  }

  /** All attempts to pay one hash from this wallet, or its receipt; none for an unknown hash. */
  async listByHash(walletId: string, paymentHash: string): Promise<TransactionRow[]> {
    const records = await this.database.query<TransactionRecord>(BY_HASH, [paymentHash.toLowerCase(), walletId]);
    return records.map(transactionOf);
  }

  async findById(id: string): Promise<TransactionRow | null> {
    const [record] = await this.database.query<TransactionRecord>(BY_ID, [id]);
    return record ? transactionOf(record) : null;
  }
}
