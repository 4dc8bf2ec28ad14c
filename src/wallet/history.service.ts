import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/index.js';
import type { Slice } from '../graphql/index.js';
import { transactionOf, type TransactionRecord, type TransactionRow } from './transaction.row.js';

/** Whose history: one wallet's, or these wallets' of one account. */
export type HistoryScope = { readonly walletId: string } | { readonly accountId: string; readonly walletIds: readonly string[] };

const NEWEST = new Date(8_640_000_000_000);
const OLDEST = new Date(0);
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const page = (name: string, where: string, next: number, direction: 'DESC' | 'ASC'): Statement => ({
  name: `history_${name}_${direction.toLowerCase()}`,
  text: `SELECT * FROM transaction WHERE ${where} AND (created_at, id) < ($${next}, $${next + 1}::uuid) AND (created_at, id) > ($${next + 2}, $${next + 3}::uuid)
          ORDER BY created_at ${direction}, id ${direction} LIMIT $${next + 4}`,
});
const OF_WALLET = { forward: page('wallet', 'wallet_id = $1', 2, 'DESC'), backward: page('wallet', 'wallet_id = $1', 2, 'ASC') };
const OF_ACCOUNT = {
  forward: page('account', 'account_id = $1 AND wallet_id = ANY ($2::uuid[])', 3, 'DESC'),
  backward: page('account', 'account_id = $1 AND wallet_id = ANY ($2::uuid[])', 3, 'ASC'),
};
const BY_HASH = {
  name: 'history_by_hash',
  text: 'SELECT * FROM transaction WHERE payment_hash = $1 AND wallet_id = $2 ORDER BY created_at DESC, id DESC LIMIT 100',
};
const BY_ID = { name: 'history_by_id', text: 'SELECT * FROM transaction WHERE id = $1' };

/** The history of wallets: newest first, one statement a page. */
@Injectable()
export class HistoryService {
  constructor(private readonly database: Database) {}

  /** @returns up to one row more than the slice's limit, which says that there is more */
  async list(scope: HistoryScope, { limit, forward, after, before }: Slice): Promise<TransactionRow[]> {
    const [statements, where] = 'walletId' in scope ? [OF_WALLET, [scope.walletId]] : [OF_ACCOUNT, [scope.accountId, scope.walletIds]];
    const bounds = [after?.createdAt ?? NEWEST, after?.id ?? LAST_ID, before?.createdAt ?? OLDEST, before?.id ?? FIRST_ID, limit + 1];
    const records = await this.database.query<TransactionRecord>(forward ? statements.forward : statements.backward, [...where, ...bounds]);
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
