import { Injectable } from '@nestjs/common';
import { columns, compositeType, Database, LockAwareBatcher, queryOne, sql } from '../../platform/database/index.js';
import type { RowOf, Statement } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { DealerService } from '../price/index.js';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../transaction/index.js';
import { AccountLimitsService } from '../wallet/index.js';
import { PaymentApprovalEntity } from './payment-approval.entity.js';
import { PaymentEntity } from './payment.entity.js';
import type { SendFailure } from './payment.outcome.js';
import type { PaymentRefusal } from './payment.refusals.js';
import type { PayoutOrder } from './payout/payout.entity.js';
import type { PaymentQuote } from './rails/rail.js';

/** Input of `payment_begin`, and the state of its caller. */
export interface BeginRequest extends Omit<PaymentQuote, 'kind' | 'accountId' | 'payee'> {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly principalId: string;
  readonly clientId: string | null;
  /** True once the caller has disconnected and nothing of the request has begun: then the payment is not begun. */
  readonly isGone?: (() => boolean) | undefined;
}

export interface BeginResult {
  /** `needs_approval`: of the owner of the key or app, or it waits for that. */
  readonly result: 'settled' | 'in_flight' | 'already_paid' | 'pending' | 'needs_approval' | PaymentRefusal;
  readonly paymentId: string;
  readonly limitCents?: bigint | null;
}

/** One batch had two payments of the same hash, or exceeded the dealer's limit together: the later one has to be submitted again. */
export interface BeginConflict {
  readonly result: 'again';
  readonly paymentId: string;
}

export interface PaymentResolution {
  readonly id: string;
  /** `unsent` and `lost` end as failed, if they still hold once the row is locked; see `payment_finish`. */
  readonly state: 'settled' | 'failed' | 'unsent' | 'lost';
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly failure: SendFailure | null;
}

export type FinishCode = 'finished' | 'already' | 'overtaken' | 'unknown' | 'refused' | 'held' | 'locked';

/** `lossMsat` is the operator's loss. `locked`: nothing has changed, retry. */
export interface FinishResult {
  readonly code: FinishCode;
  readonly lossMsat: bigint;
}

const INITIATOR = columns(PaymentEntity).only('id', 'principalId', 'clientId', 'payee');

const ASKING = columns(PaymentApprovalEntity).only('id', 'principalId', 'clientId', 'payee');

export type Initiator = RowOf<typeof INITIATOR>;

const ATTEMPT = compositeType(
  'payment_attempt',
  ...(['id', 'userId', 'walletId', 'recipientWalletId', 'paymentHash', 'paymentRequest', 'expiresAt'] as const),
  ...(['amountMsat', 'feeLimitMsat', 'memo', 'principalId', 'clientId', 'toNode'] as const),
);
const ORDER = compositeType('dealer_order', 'amountCents', 'bid', 'ask');
const PAYOUT = compositeType('payout_order', 'speed', 'minerLimitSats', 'serviceSats', 'vbytes', 'isAll');
const NO_PAYOUT = { speed: null, minerLimitSats: null, serviceSats: null, vbytes: null, isAll: null };
const RESOLUTION = compositeType('payment_resolution', 'id', 'state', 'feeMsat', 'preimage', 'failure');
const BEGIN = sql`SELECT result, payment_id AS "paymentId", limit_cents AS "limitCents"
           FROM payment_begin_v2($1::payment_attempt[], $2::dealer_order[], $3, $4, $5, $6::account_limit[], $7)`;
const BEGIN_WITH_PAYOUTS = sql`SELECT result, payment_id AS "paymentId", limit_cents AS "limitCents"
           FROM payment_begin_v3($1::payment_attempt[], $2::dealer_order[], $8::payout_order[], $3, $4, $5, $6::account_limit[], $7)`;
const BEGIN_LOCKED = sql`SELECT payment_begin_locked($1::payment_attempt[]) AS locked`;
const FINISH = sql`SELECT code, loss_msat AS "lossMsat" FROM payment_finish($1::payment_resolution[])`;
const FINISH_LOCKED = sql`SELECT payment_finish_locked($1::uuid[]) AS locked`;
const JOIN_LINE = sql`SELECT payment_line_join($1, $2)`;
const LEAVE_LINE = sql`SELECT payment_line_leave($1, $2)`;
const INITIATORS = sql`SELECT ${INITIATOR.of('payment')} FROM payment WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT ${ASKING.of('w')} FROM payment_approval w WHERE w.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT FROM payment p WHERE p.id = w.id)`;
const NAME_PAYEE = sql`UPDATE payment SET payee = $2 WHERE id = $1`;
const BY_PRINCIPALS = sql`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM payment p JOIN transaction t ON t.id = p.id
          WHERE p.principal_id = ANY ($1::text[]) ORDER BY p.created_at DESC, p.id DESC LIMIT $2`;

const payoutsOf = (batch: readonly BeginRequest[]): string[] =>
  PAYOUT.records(batch.map(({ payout }): PayoutOrder | typeof NO_PAYOUT => payout ?? NO_PAYOUT));
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** One statement per state change, many payments per statement: calls made during a batch are queued for the next batch. */
@Injectable()
export class PaymentStore {
  private readonly resolutions: LockAwareBatcher<PaymentResolution, FinishResult>;
  private readonly ended;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly dealer: DealerService,
    private readonly limits: AccountLimitsService,
    metrics: Metrics,
  ) {
    this.ended = metrics.counter('sluice_payments_ended_total', 'Payments that this process has ended, by rail and by how they ended', [
      'rail',
      'end',
    ]);
    this.resolutions = new LockAwareBatcher((batch) => this.finishAll(batch), {
      locked: (batch) => this.locked(FINISH_LOCKED, idsOf(batch)),
      lockedOutcome: () => ({ code: 'locked', lossMsat: 0n }),
      keyOf: ({ id }) => id,
    });
  }

  /** @param query `queryAnew`: on a new connection */
  async beginAll(batch: readonly BeginRequest[], query: 'query' | 'queryAnew' = 'query'): Promise<(BeginResult | BeginConflict)[]> {
    const nodeId = batch.find((request) => request.nodeId !== null)?.nodeId ?? null;
    const { centsPerBtc, limitCents } = this.dealer;
    const payments = [ATTEMPT.records(batch), ORDER.records(batch), nodeId];
    const conditions = [centsPerBtc, limitCents, this.limits.records, this.limits.priceAt(centsPerBtc)];
    const values = [...payments, ...conditions];
    const begun = batch.some(({ payout }) => payout)
      ? await this.database[query]<BeginResult | BeginConflict>(BEGIN_WITH_PAYOUTS, [...values, payoutsOf(batch)])
      : await this.database[query]<BeginResult | BeginConflict>(BEGIN, values);
    this.events.poll();
    for (const { result } of begun) if (result === 'settled') this.ended.inc({ rail: 'internal', end: 'settled' });
    return begun;
  }

  lockedOf(batch: readonly BeginRequest[]): Promise<readonly boolean[]> {
    return this.locked(BEGIN_LOCKED, ATTEMPT.records(batch));
  }

  /** Takes or keeps the account's place among those that wait to pay this hash; it ends two seconds after the last call. */
  async joinLine({ paymentHash, walletId }: BeginRequest): Promise<void> {
    await this.database.query(JOIN_LINE, [paymentHash, walletId]);
  }

  async leaveLine({ paymentHash, walletId }: BeginRequest): Promise<void> {
    await this.database.query(LEAVE_LINE, [paymentHash, walletId]);
  }

  finish(resolution: PaymentResolution): Promise<FinishResult> {
    return this.resolutions.submit(resolution);
  }

  async namePayee(paymentId: string, payee: string): Promise<void> {
    await this.database.query(NAME_PAYEE, [paymentId, payee]);
  }

  async initiators(paymentIds: readonly string[]): Promise<Map<string, Initiator>> {
    const rows = await this.database.query<Initiator>(INITIATORS, [paymentIds]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  listByPrincipals(principalIds: readonly string[], limit: number): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(BY_PRINCIPALS, [principalIds, limit]);
  }

  private async locked(statement: Statement, values: readonly string[]): Promise<readonly boolean[]> {
    return (await queryOne<{ locked: boolean[] }>(this.database, statement, [values])).locked;
  }

  private async finishAll(batch: readonly PaymentResolution[]): Promise<FinishResult[]> {
    const ended = await this.database.query<FinishResult>(FINISH, [RESOLUTION.records(batch)]);
    this.events.poll();
    ended.forEach(({ code }, index) => {
      const end = batch[index]?.state === 'settled' ? (code === 'overtaken' ? 'settled_after_release' : 'settled') : 'failed';
      if (code === 'finished' || code === 'overtaken') this.ended.inc({ rail: 'lightning', end });
    });
    return ended;
  }
}
