import { Injectable, Module } from '@nestjs/common';
import { columns, Database, fragment, queryOne, sql, type RowOf } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { MAX_AMOUNT_MSAT } from '../../platform/kernel/money.js';
import { isStorable, MEMO_BYTES } from '../../platform/kernel/text.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { Metrics } from '../../platform/metrics/index.js';
import { OperatorActions, type OperatorActionRow, OperatorActionModule } from '../../platform/operator-action/index.js';
import { PriceService, PriceModule } from '../../money/price/index.js';
import type { Operator } from '../../access/user/index.js';
import { AdjustmentEntity, type AdjustmentState } from './adjustment.entity.js';

export type ProposalOutcome =
  | { readonly kind: 'proposed'; readonly id: string }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'no_operator' }
  | { readonly kind: 'no_wallet' }
  | { readonly kind: 'too_many' };

/** `adjustment.sql` explains each. `no_operator`: dismissed, or with another password, since it was compared. */
export type AdjustmentOutcome =
  | ('approved' | 'refused' | 'no_operator' | 'not_found' | 'approved_before' | 'refused_before' | 'expired')
  | ('same_operator' | 'own_account' | 'proposer_dismissed' | 'insufficient' | 'out_of_range' | 'rejected');

export interface ActingOperator extends Operator {
  readonly runBy: string;
}

export interface NewAdjustment {
  readonly accountId: string;
  readonly amountMsat: bigint;
  /** For the customer; at most 639 bytes. */
  readonly memo: string;
  readonly because: string;
  readonly expiresInHours: number;
}

/** Open proposals: each waits for a second person, a hundred of them are a fault. */
export const MAX_OPEN_ADJUSTMENTS = 100;
export const MAX_LISTED_ADJUSTMENTS = 1_000;
export const ADJUSTMENT_HOURS = { min: 1, max: 720, default: 72 } as const;

const ADJUSTMENT = columns(AdjustmentEntity).except('state');
const SHOWN = fragment`${ADJUSTMENT.of('a')}, CASE WHEN a.state = 'open' AND a.expires_at <= now() THEN 'expired' ELSE a.state END AS state,
          coalesce((SELECT w.account_id::text FROM wallet w WHERE w.id = a.wallet_id), 'deleted') AS "accountId",
          coalesce((SELECT u.username FROM app_user u WHERE u.id = a.proposed_by), 'deleted') AS proposer, CASE WHEN a.decided_by IS NOT NULL
            THEN coalesce((SELECT u.username FROM app_user u WHERE u.id = a.decided_by), 'deleted') END AS decider`;
const IS_OPEN = fragment`(a.state = 'open' AND a.expires_at > now())`;
const PROPOSE = sql`SELECT adjustment_propose($1, $2, $3, $4, $5, $6, ${MAX_OPEN_ADJUSTMENTS}, $7, $8, $9) AS outcome`;
const DECIDE = sql`SELECT adjustment_decide($1, $2, $3, $4, $5, $6, $7) AS outcome`;
const LIST = sql`SELECT ${SHOWN} FROM adjustment a ORDER BY ${IS_OPEN} DESC, a.proposed_at DESC, a.id DESC LIMIT $1`;
const FIND = sql`SELECT ${SHOWN} FROM adjustment a WHERE a.id = $1`;
const COUNT_OPEN = sql`SELECT count(*)::int AS count FROM adjustment a WHERE ${IS_OPEN}`;

export interface AdjustmentRow extends RowOf<typeof ADJUSTMENT> {
  readonly state: AdjustmentState | 'expired';
  readonly accountId: string;
  readonly proposer: string;
  readonly decider: string | null;
}

/** Changes of balances: one operator proposes, another one approves, and one SQL function books the journal, once. */
@Injectable()
export class AdjustmentService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly prices: PriceService,
    private readonly actions: OperatorActions,
    metrics: Metrics,
  ) {
    metrics.gauge('sluice_adjustments_open', 'Adjustments that wait for a second operator', async () => {
      return (await queryOne<{ count: number }>(database, COUNT_OPEN)).count;
    });
  }

  async propose({ accountId, amountMsat, memo, because, expiresInHours }: NewAdjustment, by: ActingOperator): Promise<ProposalOutcome> {
    const fault = faultOf({ amountMsat, memo, because, expiresInHours });
    if (fault !== undefined) return { kind: 'invalid', message: fault };
    const id = newId();
    const values = [id, accountId, amountMsat, memo, because, expiresInHours, by.id, by.passwordHash, by.runBy];
    const { outcome } = await queryOne<{ outcome: Exclude<ProposalOutcome['kind'], 'invalid'> }>(this.database, PROPOSE, values);
    return outcome === 'proposed' ? { kind: outcome, id } : { kind: outcome };
  }

  /**
   * Approves, which books it if it is another operator than its proposer, or refuses, which the proposer may do too. What the ledger refuses
   * stays open.
   */
  async decide(decision: 'approve' | 'refuse', id: string, because: string, by: ActingOperator): Promise<AdjustmentOutcome> {
    if (!isUuid(id)) return 'not_found';
    const values = [id, decision === 'approve', because, this.prices.centsPerBtc, by.id, by.passwordHash, by.runBy];
    const [row] = await this.database.query<{ outcome: AdjustmentOutcome }>(DECIDE, values);
    if (row?.outcome === 'approved') this.events.poll();
    return row?.outcome ?? 'not_found';
  }

  list(): Promise<AdjustmentRow[]> {
    return this.database.query<AdjustmentRow>(LIST, [MAX_LISTED_ADJUSTMENTS]);
  }

  async find(id: string): Promise<{ adjustment: AdjustmentRow; actions: OperatorActionRow[] } | undefined> {
    if (!isUuid(id)) return undefined;
    const [adjustment] = await this.database.query<AdjustmentRow>(FIND, [id]);
    return adjustment && { adjustment, actions: await this.actions.list(adjustment.id) };
  }
}

function faultOf({ amountMsat, memo, because, expiresInHours }: Omit<NewAdjustment, 'accountId'>): string | undefined {
  const { min, max } = ADJUSTMENT_HOURS;
  if (amountMsat === 0n) return 'The amount must not be 0';
  if (amountMsat > MAX_AMOUNT_MSAT || amountMsat < -MAX_AMOUNT_MSAT) return 'The amount is more than all bitcoin';
  if (Buffer.byteLength(memo) > MEMO_BYTES || !isStorable(memo)) return `The memo has at most ${MEMO_BYTES} bytes`;
  if (because === '' || !isStorable(because)) return 'The reason is missing';
  if (!Number.isInteger(expiresInHours) || expiresInHours < min || expiresInHours > max)
    return `An adjustment expires in ${min} to ${max} hours`;
  return undefined;
}

@Module({ imports: [OperatorActionModule, PriceModule], providers: [AdjustmentService], exports: [AdjustmentService] })
export class AdjustmentModule {}
