import { Injectable } from '@nestjs/common';
import { Database, fragment, pageQuery, pageStatements, queryOne, sql, type PageRequest } from '../../../platform/database/index.js';
import { OnChainSettings } from '../onchain.settings.js';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../transaction/index.js';

/** The list has no pages. */
const MAX_PENDING = 100;
/** What is not in a block for 14 days is no longer expected. It is credited if it comes. */
const PENDING = fragment`FROM deposit d JOIN transaction t ON t.id = d.history_id
         WHERE d.wallet_id = ANY ($1::uuid[]) AND d.state IN ('pending', 'waiting') AND d.gone_at IS NULL
           AND (d.height IS NOT NULL OR d.seen_at > now() - interval '14 days')`;
const LIST_PENDING = sql`SELECT ${TRANSACTION_COLUMNS.of('t')} ${PENDING} AND ($2::text IS NULL OR d.address = $2)
         ORDER BY t.created_at DESC, t.id DESC LIMIT ${MAX_PENDING}`;
const PENDING_TOTAL = sql`SELECT coalesce(sum(t.amount), 0)::int8 AS total ${PENDING}`;
const OF_ADDRESS = pageStatements({
  select: fragment`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM transaction t
         WHERE t.wallet_id = $1 AND t.id = ANY (ARRAY(SELECT d.history_id FROM deposit d WHERE d.address = $2)) AND t.status <> 'PENDING'`,
  values: 2,
  id: fragment`id`,
});
const SINCE = sql`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM deposit d JOIN transaction t ON t.id = d.history_id
         WHERE d.account_id = $1 AND d.address = $2 AND d.seen_at >= $3 ORDER BY d.seen_at DESC, d.txid, d.vout LIMIT $4`;
const PROGRESS = sql`SELECT d.history_id AS id, d.state, d.gone_at IS NOT NULL AS "isGone", d.unproven_at IS NOT NULL AS "isHeld",
           CASE WHEN d.height IS NULL THEN 0 ELSE greatest(1, (SELECT c.height FROM onchain_cursor c) - d.height + 1) END AS confirmations,
           (SELECT sum(s.sats) FROM deposit s WHERE s.txid = d.txid)::int8 AS "txSats"
          FROM unnest($1::text[], $2::integer[]) AS o (txid, vout) JOIN deposit d ON d.txid = o.txid AND d.vout = o.vout`;

/** How far a deposit is. `held`: it was credited, and a reorganisation took it out of its block. */
export interface DepositProgress {
  readonly phase: 'arriving' | 'gone' | 'waiting' | 'credited' | 'held' | 'failed';
  readonly confirmations: number;
  /** As many confirmations credit it. */
  readonly needed: number;
}

interface StoredProgress {
  readonly id: string;
  readonly state: 'pending' | 'waiting' | 'credited' | 'unclaimed' | 'failed';
  readonly isGone: boolean;
  readonly isHeld: boolean;
  readonly confirmations: number;
  readonly txSats: bigint;
}

/** What wallets receive on-chain, as rows of their history. */
@Injectable()
export class DepositService {
  constructor(
    private readonly database: Database,
    private readonly settings: OnChainSettings,
  ) {}

  /** The latest rows of the history of what is not credited yet, newest first. */
  listPending(walletIds: readonly string[], address: string | null = null): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(LIST_PENDING, [walletIds, address]);
  }

  /** The sum of all that is not credited yet, in the unit of the wallet's ledger. */
  async pendingTotal(walletId: string): Promise<bigint> {
    return (await queryOne<{ total: bigint }>(this.database, PENDING_TOTAL, [[walletId]])).total;
  }

  listOfAddress(walletId: string, address: string, pageRequest: PageRequest): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(...pageQuery(OF_ADDRESS, [walletId, address], pageRequest));
  }

  /** The rows of the history of what an address of the account got since then, newest first. */
  listSince(accountId: string, address: string, since: Date, limit: number): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(SINCE, [accountId, address, since, limit]);
  }

  /** By the ids of the rows; none for a row that is not of a deposit. */
  async progressOf(rows: readonly TransactionRow[]): Promise<Map<string, DepositProgress>> {
    const outputs = rows.filter(({ direction, txid }) => direction === 'RECEIVE' && txid !== null);
    if (outputs.length === 0) return new Map();
    const values = [outputs.map(({ txid }) => txid), outputs.map(({ vout }) => vout)];
    const found = await this.database.query<StoredProgress>(PROGRESS, values);
    return new Map(found.map((each) => [each.id, this.progress(each)]));
  }

  private progress({ state, isGone, isHeld, confirmations, txSats }: StoredProgress): DepositProgress {
    const ended = state === 'failed' ? 'failed' : state === 'waiting' ? 'waiting' : isHeld ? 'held' : 'credited';
    const phase = state !== 'pending' ? ended : isGone ? 'gone' : 'arriving';
    return { phase, confirmations, needed: this.settings.confirmationsOf(txSats) };
  }
}

/** Addresses are stored as the wallet writes them; those of SegWit may be typed in capitals. */
export const written = (address: string): string => (address === address.toUpperCase() ? address.toLowerCase() : address);
