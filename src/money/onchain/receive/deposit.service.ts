import { Injectable } from '@nestjs/common';
import { Database, fragment, pageQuery, pageStatements, sql, type PageRequest } from '../../../platform/database/index.js';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../transaction/index.js';

const MAX_PENDING = 1_000;
/** What is not in a block for 14 days is no longer expected. It is credited if it comes. */
const PENDING = sql`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM deposit d JOIN transaction t ON t.id = d.history_id
         WHERE d.wallet_id = ANY ($1::uuid[]) AND d.state IN ('pending', 'waiting') AND d.gone_at IS NULL
           AND (d.height IS NOT NULL OR d.seen_at > now() - interval '14 days') AND ($2::text IS NULL OR d.address = $2)
         ORDER BY t.created_at DESC, t.id DESC LIMIT ${MAX_PENDING}`;
const OF_ADDRESS = pageStatements({
  select: fragment`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM transaction t
         WHERE t.wallet_id = $1 AND t.id = ANY (ARRAY(SELECT d.history_id FROM deposit d WHERE d.address = $2)) AND t.status <> 'PENDING'`,
  values: 2,
  id: fragment`id`,
});

/** What wallets receive on-chain, as rows of their history. */
@Injectable()
export class DepositService {
  constructor(private readonly database: Database) {}

  /** The rows of the history of what is not credited yet, newest first. */
  listPending(walletIds: readonly string[], address: string | null = null): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(PENDING, [walletIds, address]);
  }

  listOfAddress(walletId: string, address: string, pageRequest: PageRequest): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(...pageQuery(OF_ADDRESS, [walletId, address], pageRequest));
  }
}
