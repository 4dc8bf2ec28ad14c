import { Injectable } from '@nestjs/common';
import { columns, compositeType, Database, queryOne, sql, type RowOf } from '../../../platform/database/index.js'; // prettier-ignore
import type { NewOperatorAction } from '../../../platform/operator-action/index.js';
import { LedgerService } from '../../ledger/index.js';
import { DealerService } from '../../price/index.js';
import type { Outpoint } from '../onchain-backend.js';
import { OnChainSettings } from '../onchain.settings.js';
import { DepositEntity } from './deposit.entity.js';

/** An output to an address, of a wallet of ours or not. */
export type SeenOutput = Outpoint & Pick<DepositEntity, 'address' | 'sats' | 'height' | 'blockHash' | 'seenAt'>;

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
}

/** How far the chain was scanned before, and the number of the scan that begins. */
export interface ScanStart {
  readonly scan: bigint;
  readonly height: number | null;
  readonly blockHash: string | null;
  /** Before the first one there is nothing in the chain to look for. */
  readonly hasAddresses: boolean;
}

/** What the end of a scan has done to a deposit; `result` other than `ok`: the ledger refuses it. */
export interface DepositStep extends Outpoint {
  readonly step: 'credit' | 'wait' | 'unclaim' | 'hold' | 'release';
  readonly sats: bigint;
  readonly result: string;
}

/** `unproven`: a reorganisation has taken it. `refused`: by the ledger. */
export type DepositBookOutcome = 'booked' | 'unknown' | 'unproven' | 'no_wallet' | 'refused';

const LISTED = columns(DepositEntity).except('scan', 'creditedHash', 'unproven', 'holdId');
export type ListedDeposit = RowOf<typeof LISTED>;

const OUTPUT = compositeType('onchain_output', 'txid', 'vout', 'address', 'sats', 'height', 'blockHash', 'seenAt');
const BEGIN = sql`SELECT scan, height, block_hash AS "blockHash", EXISTS (SELECT FROM onchain_address) AS "hasAddresses" FROM onchain_scan_begin()`;
const SEE = sql`SELECT deposit_see($1, $2::onchain_output[], $3, $4) AS "goesOn"`;
const SETTLE = sql`SELECT step, txid, vout, sats, result
          FROM deposit_settle($1, $2, $3, $4, ROW($5::bigint[], $6::integer[], $7::bigint, $8::bigint)::deposit_terms, $9)`;
const FAIL = sql`SELECT deposit_fail($1::text[])`;
/** Others each time, so that each is asked for. */
const GONE = sql`SELECT txid FROM deposit WHERE state = 'pending' AND gone_at > now() - interval '14 days' GROUP BY txid ORDER BY random() LIMIT 100`;

const AUDIT = sql`SELECT what, n FROM deposit_audit WHERE n <> 0 ORDER BY what`;
const TO_REVIEW = sql`SELECT ${LISTED.of('d')} FROM deposit d WHERE d.state = 'unclaimed' OR d.unproven_at IS NOT NULL ORDER BY d.seen_at, d.txid, d.vout LIMIT $1`;
const BOOK = sql`SELECT deposit_book($1, $2, $3, $4, $5) AS outcome`;
const RELEASE = sql`SELECT deposit_release($1, $2, $3, $4) AS done`;
const REVIEW_COUNT = sql`SELECT count(*)::int AS count FROM deposit WHERE state = 'unclaimed' OR unproven_at IS NOT NULL`;
const LIST = sql`SELECT ${LISTED.of('d')} FROM deposit d WHERE $1::uuid IS NULL OR d.account_id = $1 ORDER BY d.seen_at DESC, d.txid, d.vout LIMIT $2`;

@Injectable()
export class DepositStore {
  constructor(
    private readonly database: Database,
    private readonly dealer: DealerService,
    private readonly settings: OnChainSettings,
    ledger: LedgerService,
  ) {
    ledger.alsoAudit(AUDIT);
  }

  begin(): Promise<ScanStart> {
    return queryOne<ScanStart>(this.database, BEGIN);
  }

  /** @returns false when another scan has begun: this one is over */
  async see(scan: bigint, outputs: readonly SeenOutput[]): Promise<boolean> {
    const values = [scan, OUTPUT.records(outputs), this.dealer.rate.bid, this.dealer.centsPerBtc];
    return (await queryOne<{ goesOn: boolean }>(this.database, SEE, values)).goesOn;
  }

  /** @param from the height of the first block that was scanned */
  settle(scan: bigint, from: number, tip: BlockRef): Promise<DepositStep[]> {
    const { bounds, values: confirmations } = this.settings.confirmations;
    const { DEPOSIT_FEE_SATS: fee, DEPOSIT_FEE_FREE_ABOVE: freeAbove } = this.settings;
    const values = [scan, from, tip.height, tip.hash, bounds, confirmations, fee, freeAbove, this.dealer.rate.bid];
    return this.database.query<DepositStep>(SETTLE, values);
  }

  /** Transactions that had been in the mempool or in a block, and are gone. */
  async listGone(): Promise<string[]> {
    return (await this.database.query<{ txid: string }>(GONE)).map(({ txid }) => txid);
  }

  async fail(txids: readonly string[]): Promise<void> {
    await this.database.query(FAIL, [txids]);
  }

  listToReview(limit: number): Promise<ListedDeposit[]> {
    return this.database.query<ListedDeposit>(TO_REVIEW, [limit]);
  }

  async countToReview(): Promise<number> {
    return (await queryOne<{ count: number }>(this.database, REVIEW_COUNT)).count;
  }

  /** Books an unclaimed deposit to the bitcoin wallet of an account. */
  async book(
    { txid, vout }: Outpoint,
    accountId: string,
    { who, because }: Pick<NewOperatorAction, 'who' | 'because'>,
  ): Promise<DepositBookOutcome> {
    return (await queryOne<{ outcome: DepositBookOutcome }>(this.database, BOOK, [txid, vout, accountId, who, because])).outcome;
  }

  /** Ends the hold of a deposit that a reorganisation has taken. @returns false if there is none */
  async release({ txid, vout }: Outpoint, { who, because }: Pick<NewOperatorAction, 'who' | 'because'>): Promise<boolean> {
    return (await queryOne<{ done: boolean }>(this.database, RELEASE, [txid, vout, who, because])).done;
  }

  /** The newest deposits, of one account or of all. */
  list(accountId: string | null, limit: number): Promise<ListedDeposit[]> {
    return this.database.query<ListedDeposit>(LIST, [accountId, limit]);
  }
}
