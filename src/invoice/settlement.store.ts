import { Injectable } from '@nestjs/common';
import { Database, recordsOf, type Statement } from '../database/index.js';
import type { InvoiceSettlement } from '../lightning/index.js';

/** The position from which to read a node's settlements. */
export interface SettlementCursor {
  readonly settleIndex: bigint;
  /** The payment hash of the settlement of that index. */
  readonly settleHash: string | null;
  /** How often the node's index has restarted. */
  readonly epoch: number;
}

/** The booked fields of a settlement. */
export type Settled = Pick<InvoiceSettlement, 'settleIndex' | 'paymentHash' | 'amountMsat'>;

export type SettlementCode = 'credited' | 'credited_again' | 'seen' | 'unclaimed' | 'refused' | 'refused_before' | 'locked';

export interface Booked {
  /** One for each settlement. */
  readonly codes: readonly SettlementCode[];
  /** The node's index has restarted, and the cursor with it. */
  readonly wentBack: boolean;
  /** The cursor's epoch now. */
  readonly epoch: number;
}

/** The result of a look-up, as it is stored. */
export interface LookedUp {
  readonly paymentHash: string;
  readonly answer: 'closed' | 'open' | 'refused';
}

/** A position in the list of open invoices. */
export interface OpenInvoice {
  readonly paymentHash: string;
  readonly expiresAt: Date;
}

/** A settlement that the operator has to review. */
export interface SettlementToReview {
  readonly nodeId: string;
  readonly paymentHash: string;
  readonly settleIndex: bigint;
  /** Text, because a faulty node may report an amount that fits no number. */
  readonly amountMsat: string | null;
  readonly outcome: 'refused' | 'unclaimed';
  readonly createdAt: Date;
}

const BOOK: Statement = {
  name: 'invoice_settle',
  text: `SELECT codes, went_back AS "wentBack", epoch FROM invoice_settle($1, $2, $3::invoice_settlement[], $4)`,
};
const CURSOR: Statement = {
  name: 'settlement_cursor',
  text: 'SELECT settle_index AS "settleIndex", settle_hash AS "settleHash", epoch FROM settlement_cursor WHERE node_id = $1',
};
const RESTART: Statement = { name: 'settlement_restart', text: 'SELECT settlement_restart($1, $2) AS first' };
const DUE: Statement = { name: 'invoice_due', text: 'SELECT invoice_due($1, $2) AS hash' };
/** Without invoices whose settlement the operator has to review (their `next_look_at` is infinity). */
const OPEN: Statement = {
  name: 'invoice_open',
  text: `SELECT payment_hash AS "paymentHash", expires_at AS "expiresAt" FROM invoice
          WHERE node_id = $1 AND state <> 'paid' AND closed_at IS NULL AND next_look_at < 'infinity' AND (expires_at, payment_hash) > ($2, $3)
          ORDER BY expires_at, payment_hash LIMIT $4`,
};
const LOOKED_UP: Statement = { name: 'invoice_looked_up', text: 'SELECT invoice_looked_up($1, $2::invoice_answer[])' };
const FORGET: Statement = { name: 'invoice_forget', text: 'SELECT invoice_forget($1, $2, $3) AS count' };
const REVIEW: Statement = {
  name: 'settlement_review',
  text: `SELECT node_id AS "nodeId", payment_hash AS "paymentHash", settle_index AS "settleIndex", amount_msat::text AS "amountMsat", outcome, created_at AS "createdAt"
           FROM settlement_review WHERE booked_at IS NULL ORDER BY created_at, payment_hash LIMIT $1`,
};
const REVIEW_COUNT: Statement = {
  name: 'settlement_review_count',
  text: 'SELECT count(*)::int AS count FROM settlement_review WHERE booked_at IS NULL',
};

const START: SettlementCursor = { settleIndex: 0n, settleHash: null, epoch: 0 };

/** The statements on settlements, their cursor and their reviews. */
@Injectable()
export class SettlementStore {
  constructor(private readonly database: Database) {}

  /**
   * @param epoch of the cursor from which the stream was started; null for the result of a look-up, which never moves the cursor
   * @param skipLocked returns `locked` for what another transaction holds, instead of waiting
   */
  async book(nodeId: string, epoch: number | null, settlements: readonly Settled[], skipLocked: boolean): Promise<Booked> {
    const [booked] = await this.database.query<Booked>(BOOK, [
      nodeId,
      epoch,
      recordsOf(settlements, 'settleIndex', 'paymentHash', 'amountMsat'),
      skipLocked,
    ]);
    if (!booked) throw new Error('invoice_settle gave no answer');
    return booked;
  }

  async cursorOf(nodeId: string): Promise<SettlementCursor> {
    const [cursor] = await this.database.query<SettlementCursor>(CURSOR, [nodeId]);
    return cursor ?? START;
  }

  /** Restarts the cursor. False: another process was first. */
  async restart(nodeId: string, epoch: number): Promise<boolean> {
    return (await this.database.query<{ first: boolean }>(RESTART, [nodeId, epoch]))[0]?.first ?? false;
  }

  /** Claims invoices that are due for a look-up; no other process gets them for a minute. */
  async claimDue(nodeId: string, limit: number): Promise<string[]> {
    return (await this.database.query<{ hash: string }>(DUE, [nodeId, limit])).map(({ hash }) => hash);
  }

  /** A page of the unpaid invoices that the node has not reported as closed. */
  listOpen(nodeId: string, after: OpenInvoice, limit: number): Promise<OpenInvoice[]> {
    return this.database.query<OpenInvoice>(OPEN, [nodeId, after.expiresAt, after.paymentHash, limit]);
  }

  async noteLookUps(nodeId: string, answers: readonly LookedUp[]): Promise<void> {
    if (answers.length > 0) await this.database.query(LOOKED_UP, [nodeId, recordsOf(answers, 'paymentHash', 'answer')]);
  }

  /** Deletes unpaid invoices that others than the owner created and that closed that long ago. @returns how many */
  async forget(nodeId: string, closedSeconds: number, limit: number): Promise<number> {
    return (await this.database.query<{ count: number }>(FORGET, [nodeId, closedSeconds, limit]))[0]?.count ?? 0;
  }

  /** Oldest first. */
  listToReview(limit: number): Promise<SettlementToReview[]> {
    return this.database.query<SettlementToReview>(REVIEW, [limit]);
  }

  async countToReview(): Promise<number> {
    return (await this.database.query<{ count: number }>(REVIEW_COUNT))[0]?.count ?? 0;
  }
}
