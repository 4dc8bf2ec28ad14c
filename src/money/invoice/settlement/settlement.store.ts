import { Injectable } from '@nestjs/common';
import { columns, compositeType, Database, queryOne, sql, type RowOf } from '../../../platform/database/index.js';
import type { InvoiceSettlement } from '../../lightning/index.js';
import { DealerService } from '../../price/index.js';
import { InvoiceEntity, SettlementCursorEntity, SettlementReviewEntity } from '../invoice.entity.js';
import { Metrics } from '../../../platform/metrics/index.js';

const CURSOR = columns(SettlementCursorEntity).except('nodeId');
const REVIEW = columns(SettlementReviewEntity).except('bookedAt', 'returnWalletId', 'returnAttempt', 'returnPaymentId');
const POSITION = columns(InvoiceEntity).only('paymentHash', 'expiresAt');

export type SettlementCursor = RowOf<typeof CURSOR>;

/** Up to where a stream has booked, and the epoch of the cursor from which it was started. */
export type StreamPosition = Pick<SettlementCursor, 'settleIndex' | 'epoch'>;

export type SettlementToReview = RowOf<typeof REVIEW>;

export type OpenInvoicePosition = RowOf<typeof POSITION>;

export type SettlementToBook = Pick<InvoiceSettlement, 'settleIndex' | 'paymentHash' | 'amountMsat'>;

export type SettlementCode = 'credited' | 'credited_again' | 'seen' | 'unclaimed' | 'refused' | 'refused_before' | 'locked';

/** `unknown`: no unclaimed settlement has this hash. `refused`: by the ledger; nothing was changed. */
export type ClaimOutcome = 'booked' | 'unknown' | 'no_wallet' | 'refused';

export interface NewReturn {
  readonly paymentHash: string;
  /** The account of an operator, through whose wallet the money goes. */
  readonly accountId: string;
  readonly amountMsat: bigint;
  readonly invoiceHash: string;
  readonly attempt: string;
  readonly paymentId: string;
  readonly who: string;
  readonly because: string;
}

export type ReturnRefusal = 'unknown' | 'booked' | 'no_operator' | 'too_much' | 'other_wallet' | 'pending' | 'returned' | 'refused';

type BegunReturn =
  | { readonly outcome: 'ready'; readonly attempt: string; readonly walletId: string; readonly userId: string }
  | { readonly outcome: ReturnRefusal };

export interface BookingResult {
  readonly codes: readonly SettlementCode[];
  readonly wentBack: boolean;
  /** Null: the database has lost what the stream has booked. */
  readonly epoch: number | null;
}

export interface LookUpResult {
  readonly paymentHash: string;
  readonly answer: 'closed' | 'open' | 'refused';
}

const SETTLEMENT = compositeType('invoice_settlement', 'settleIndex', 'paymentHash', 'amountMsat');
const ANSWER = compositeType('invoice_answer', 'paymentHash', 'answer');
const BOOK = sql`SELECT codes, went_back AS "wentBack", epoch FROM invoice_settle_v2($1, $2, $3::invoice_settlement[], $4, $5)`;
const BOOK_LOCKED = sql`SELECT invoice_settle_locked($1::text[]) AS locked`;
const FIND_CURSOR = sql`SELECT ${CURSOR.of('settlement_cursor')} FROM settlement_cursor WHERE node_id = $1`;
const RESTART = sql`SELECT settlement_restart($1, $2) AS first`;
const DUE = sql`SELECT invoice_due($1, $2) AS hash`;
/** Without invoices whose settlement the operator has to review (their `next_look_at` is infinity). */
const OPEN = sql`SELECT ${POSITION.of('invoice')} FROM invoice WHERE node_id = $1 AND state <> 'paid' AND closed_at IS NULL AND next_look_at < 'infinity'
            AND (expires_at, payment_hash) > ($2, $3)
          ORDER BY expires_at, payment_hash LIMIT $4`;
const LOOKED_UP = sql`SELECT invoice_looked_up($1, $2::invoice_answer[])`;
const FORGET = sql`SELECT invoice_forget($1, $2, $3) AS count`;
const CLAIM = sql`SELECT settlement_claim($1, $2, $3, $4) AS outcome`;
const RETURN = sql`SELECT outcome, attempt, wallet_id AS "walletId", user_id AS "userId" FROM settlement_return($1, $2, $3, $4, $5, $6, $7, $8)`;
const TO_REVIEW = sql`SELECT ${REVIEW.of('settlement_review')} FROM settlement_review WHERE booked_at IS NULL ORDER BY created_at, payment_hash LIMIT $1`;
const REVIEW_COUNT = sql`SELECT count(*)::int AS count FROM settlement_review WHERE booked_at IS NULL`;

const START: SettlementCursor = { settleIndex: 0n, settleHash: null, epoch: 0 };

@Injectable()
export class SettlementStore {
  private readonly forgotten;

  constructor(
    private readonly database: Database,
    private readonly dealer: DealerService,
    metrics: Metrics,
  ) {
    this.forgotten = metrics.counter('sluice_invoices_forgotten_total', 'Unpaid invoices that were deleted after their expiry');
    metrics.gauge('sluice_settlements_to_review', 'Settlements that Sluice did not credit to a wallet and that need the operator', () =>
      this.countToReview(),
    );
  }

  /** @param position null for the result of a look-up, which never moves the cursor */
  book(nodeId: string, position: StreamPosition | null, settlements: readonly SettlementToBook[]): Promise<BookingResult> {
    const { epoch, settleIndex } = position ?? { epoch: null, settleIndex: 0n };
    const values = [nodeId, epoch, SETTLEMENT.records(settlements), this.dealer.rate.bid, settleIndex];
    return queryOne<BookingResult>(this.database, BOOK, values);
  }

  /** Books what no other transaction has locked, and returns `locked` for the rest, below which the cursor stays. */
  async bookFree(nodeId: string, position: StreamPosition | null, settlements: readonly SettlementToBook[]): Promise<BookingResult> {
    const hashes = settlements.map(({ paymentHash }) => paymentHash);
    const { locked } = await queryOne<{ locked: boolean[] }>(this.database, BOOK_LOCKED, [hashes]);
    const free = settlements.filter((_settlement, index) => !locked[index]);
    const booked = await this.book(nodeId, free.length < settlements.length ? null : position, free);
    const codes = [...booked.codes];
    return { ...booked, codes: settlements.map((_settlement, index) => (locked[index] ? 'locked' : (codes.shift() ?? 'locked'))) };
  }

  async cursorOf(nodeId: string): Promise<SettlementCursor> {
    const [cursor] = await this.database.query<SettlementCursor>(FIND_CURSOR, [nodeId]);
    return cursor ?? START;
  }

  async restart(nodeId: string, epoch: number): Promise<boolean> {
    return (await queryOne<{ first: boolean }>(this.database, RESTART, [nodeId, epoch])).first;
  }

  /** Claims invoices that are due for a look-up; no other process gets them for a minute. */
  async claimDue(nodeId: string, limit: number): Promise<string[]> {
    return (await this.database.query<{ hash: string }>(DUE, [nodeId, limit])).map(({ hash }) => hash);
  }

  listOpen(nodeId: string, after: OpenInvoicePosition, limit: number): Promise<OpenInvoicePosition[]> {
    return this.database.query<OpenInvoicePosition>(OPEN, [nodeId, after.expiresAt, after.paymentHash, limit]);
  }

  async noteLookUps(nodeId: string, answers: readonly LookUpResult[]): Promise<void> {
    if (answers.length > 0) await this.database.query(LOOKED_UP, [nodeId, ANSWER.records(answers)]);
  }

  /** Deletes unpaid invoices that closed thirty days ago, and those that others than the owner created and that closed that long ago. */
  async forget(nodeId: string, closedSeconds: number, limit: number): Promise<void> {
    this.forgotten.inc((await queryOne<{ count: number }>(this.database, FORGET, [nodeId, closedSeconds, limit])).count);
  }

  listToReview(limit: number): Promise<SettlementToReview[]> {
    return this.database.query<SettlementToReview>(TO_REVIEW, [limit]);
  }

  async claim(paymentHash: string, accountId: string, who: string, because: string): Promise<ClaimOutcome> {
    return (await queryOne<{ outcome: ClaimOutcome }>(this.database, CLAIM, [paymentHash, accountId, who, because])).outcome;
  }

  beginReturn(asked: NewReturn): Promise<BegunReturn> {
    const { paymentHash, accountId, amountMsat, attempt, paymentId, invoiceHash, who, because } = asked;
    const values = [paymentHash, accountId, amountMsat, attempt, paymentId, invoiceHash, who, because];
    return queryOne<BegunReturn>(this.database, RETURN, values);
  }

  async countToReview(): Promise<number> {
    return (await queryOne<{ count: number }>(this.database, REVIEW_COUNT)).count;
  }
}
