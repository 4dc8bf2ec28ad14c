import { Injectable } from '@nestjs/common';
import { columns, columnsOf, Database, sql, type RowOf } from '../../platform/database/index.js';
import type { NodePayment } from '../../money/lightning/index.js';
import { NodePaymentEntity } from '../../money/payment/index.js';
import { ReconciliationEntity } from './reconciliation.entity.js';

/** `restored`: a copy. `promoted`: a standby took over, or an older state of the server was recovered. See `database_state`. */
export type DatabaseState = 'sound' | 'promoted' | 'restored';

const STATUS = columns(ReconciliationEntity).only('paymentIndex', 'wentBackTo', 'cannotCompare', 'comparedAt');
const FOUND = columns(NodePaymentEntity).only('paymentHash', 'paymentIndex', 'state', 'amountMsat', 'feeMsat', 'createdAt');

const GUARD = sql`SELECT reconciliation_guard() AS state`;
const BEGIN = sql`SELECT payment_index AS "paymentIndex", state FROM reconciliation_begin($1)`;
const COMPARE = sql`SELECT reconciliation_compare($1, $2, $3, $4, $5, $6, $7, $8) AS unexplained`;
const WENT_BACK = sql`SELECT reconciliation_went_back($1, $2, $3) AS found`;
const CANNOT_COMPARE = sql`SELECT reconciliation_cannot_compare($1)`;
const END = sql`SELECT reconciliation_end($1)`;
const ACCEPT = sql`SELECT reconciliation_accept($1, $2, $3, $4) AS accepted`;
const STATUS_OF = sql`SELECT ${STATUS.of('reconciliation')}, database_state() AS database, reconciliation_findings(node_id) AS findings FROM reconciliation WHERE node_id = $1`;
const UNEXPLAINED = sql`SELECT ${FOUND.of('node_payment')} FROM node_payment WHERE node_id = $1 AND verdict = 'unexplained' ORDER BY payment_index LIMIT $2`;
const COUNT_UNEXPLAINED = sql`SELECT count(*)::int AS n FROM node_payment WHERE verdict = 'unexplained'`;
const OWN = sql`SELECT count(*)::int AS payments, coalesce(sum(amount_msat + fee_msat), 0)::int8 AS msat FROM node_payment WHERE node_id = $1 AND state = 'settled'`;
const IN_FLIGHT = sql`SELECT payment_hash AS "paymentHash" FROM node_payment WHERE node_id = $1 AND state = 'in_flight' ORDER BY payment_index LIMIT $2`;
const SET_END = sql`SELECT node_payment_end($1, $2, $3, $4)`;
const LEDGER_BALANCES = sql`SELECT coalesce(sum(posted) FILTER (WHERE id = -1), 0)::int8 AS lightning, coalesce(sum(posted) FILTER (WHERE id > 0), 0)::int8 AS customers,
          coalesce(sum(held) FILTER (WHERE id > 0), 0)::int8 AS held FROM ledger_account WHERE currency = 1`;
const SETTLED = sql`SELECT payment_hash AS "paymentHash" FROM payment
          WHERE kind = 'ln' AND state = 'settled' AND node_id = $1 AND created_at > now() - make_interval(days => $2) ORDER BY created_at DESC LIMIT $3`;

export type UnknownPayment = RowOf<typeof FOUND>;

export interface ReconciliationStatus extends RowOf<typeof STATUS> {
  readonly database: DatabaseState;
  readonly findings: string | null;
}

/** In msat, posted: bitcoin only. */
export interface LedgerBalances {
  /** Below zero: what the ledger expects the nodes to have. */
  readonly lightning: bigint;
  readonly customers: bigint;
  readonly held: bigint;
}

@Injectable()
export class ReconciliationStore {
  constructor(private readonly database: Database) {}

  async guard(): Promise<DatabaseState> {
    const [row] = await this.database.query<{ state: DatabaseState }>(GUARD);
    return row?.state ?? 'restored';
  }

  async begin(nodeId: string): Promise<{ readonly paymentIndex: bigint; readonly state: DatabaseState }> {
    const [row] = await this.database.query<{ paymentIndex: bigint; state: DatabaseState }>(BEGIN, [nodeId]);
    if (!row) throw new Error('Unreachable: reconciliation_begin returned no row');
    return row;
  }

  /** @returns how many may be payments that the database has lost */
  async compare(nodeId: string, payments: readonly NodePayment[], isSound: boolean): Promise<number> {
    const found = columnsOf(payments, 'index', 'paymentHash', 'state', 'amountMsat', 'feeMsat', 'createdAt');
    const [row] = await this.database.query<{ unexplained: number }>(COMPARE, [nodeId, ...found, isSound]);
    return row?.unexplained ?? 0;
  }

  /** @param before the index that the node had. @returns whether it was not known yet */
  async wentBack(nodeId: string, before: bigint, index: bigint): Promise<boolean> {
    return (await this.database.query<{ found: boolean }>(WENT_BACK, [nodeId, before, index]))[0]?.found ?? false;
  }

  async cannotCompare(nodeId: string): Promise<void> {
    await this.database.query(CANNOT_COMPARE, [nodeId]);
  }

  async end(nodeId: string): Promise<void> {
    await this.database.query(END, [nodeId]);
  }

  async accept(nodeId: string, hash: string, who: string, because: string): Promise<boolean> {
    return (await this.database.query<{ accepted: boolean }>(ACCEPT, [nodeId, hash, who, because]))[0]?.accepted ?? false;
  }

  async status(nodeId: string): Promise<ReconciliationStatus | undefined> {
    return (await this.database.query<ReconciliationStatus>(STATUS_OF, [nodeId]))[0];
  }

  unexplained(nodeId: string, limit: number): Promise<UnknownPayment[]> {
    return this.database.query<UnknownPayment>(UNEXPLAINED, [nodeId, limit]);
  }

  async countUnexplained(): Promise<number> {
    return (await this.database.query<{ n: number }>(COUNT_UNEXPLAINED))[0]?.n ?? 0;
  }

  async unknownTotal(nodeId: string): Promise<{ readonly payments: number; readonly msat: bigint }> {
    return (await this.database.query<{ payments: number; msat: bigint }>(OWN, [nodeId]))[0] ?? { payments: 0, msat: 0n };
  }

  async inFlight(nodeId: string, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ paymentHash: string }>(IN_FLIGHT, [nodeId, limit]);
    return rows.map(({ paymentHash }) => paymentHash);
  }

  async setEnd(nodeId: string, paymentHash: string, state: 'settled' | 'failed', feeMsat: bigint): Promise<void> {
    await this.database.query(SET_END, [nodeId, paymentHash, state, feeMsat]);
  }

  async ledgerBalances(): Promise<LedgerBalances> {
    return (await this.database.query<LedgerBalances>(LEDGER_BALANCES))[0] ?? { lightning: 0n, customers: 0n, held: 0n };
  }

  async settledSince(nodeId: string, days: number, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ paymentHash: string }>(SETTLED, [nodeId, days, limit]);
    return rows.map(({ paymentHash }) => paymentHash);
  }
}
