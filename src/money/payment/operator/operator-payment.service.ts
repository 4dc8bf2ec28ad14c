import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, mayTakeLong, queryOne, sql, type Fragment, type RowOf } from '../../../platform/database/index.js';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { OperatorActions, type OperatorActionRow } from '../../../platform/operator-action/index.js';
import { LedgerService, type HoldEvidence, type JournalEvidence } from '../../ledger/index.js';
import { LightningNode } from '../../lightning/index.js';
import { forecastOf, type NodeEvidence, type PaymentForecast } from './payment-forecast.js';
import { OPERATOR_PAYMENT_COLUMNS, type OperatorPaymentRow } from './operator-payment.row.js';
import { PaymentEntity, PaymentNodeEntity, type PaymentState } from '../payment.entity.js';
import { PaymentSettings } from '../payment.settings.js';
import type { FinishResult } from '../payment.store.js';

const ATTEMPT = columns(PaymentEntity).only('id', 'state', 'accountId', 'failure', 'createdAt', 'dispatchedAt', 'finishedAt');
const MARK = columns(PaymentNodeEntity).only('paymentIndex', 'unbrokenSince');

const shown = (freshSeconds: Fragment): Fragment =>
  fragment`${OPERATOR_PAYMENT_COLUMNS.of('payment')}, payment.created_at > now() - make_interval(secs => ${freshSeconds}) AS "isFresh", now() AS "readAt"`;
const LIST =
  mayTakeLong(sql`SELECT ${shown(fragment`$4`)} FROM payment WHERE ($1::text IS NULL OR state = $1) AND created_at <= now() - make_interval(secs => $2)
            AND ($5::uuid IS NULL OR account_id = $5) AND ($6::uuid IS NULL OR (created_at, id) < (SELECT l.created_at, l.id FROM payment l WHERE l.id = $6))
          ORDER BY created_at DESC, id DESC LIMIT $3`);
const FIND = sql`SELECT ${shown(fragment`$2`)} FROM payment WHERE id = $1`;
const ATTEMPTS = sql`SELECT ${ATTEMPT.of('payment')} FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')
          UNION ALL SELECT ${ATTEMPT.of('payment')} FROM payment WHERE payment_hash = $1 AND state = 'failed' ORDER BY "createdAt" DESC LIMIT 100`;
const FIND_MARK = sql`SELECT ${MARK.of('payment_node')} FROM payment_node WHERE node_id = $1`;
const RESOLVE = sql`SELECT code, loss AS "lossMsat" FROM payment_resolve_v2($1, $2, $3, $4, $5, $6, $7)`;

interface PaymentFilter {
  readonly state: PaymentState | null;
  readonly accountId: string | null;
  readonly olderThanSeconds: number;
  readonly after: string | null;
  readonly limit: number;
}

export type OperatorResolution = { readonly who: string; readonly because: string } & (
  | { readonly state: 'settled'; readonly preimage: string; readonly feeMsat: bigint }
  /** The operator vouches that the node never pays it: one that does not answer, or one that keeps an attempt that no channel has (lnd#6249). */
  | { readonly state: 'failed'; readonly isNodeGone: boolean; readonly isNeverSent: boolean }
);

export type ResolveOutcome =
  /** `lossMsat`: the operator's loss, because the money had been released already, or the fee exceeded the hold. */
  | { readonly kind: 'resolved'; readonly lossMsat: bigint }
  | { readonly kind: 'ended_already' | 'not_found' | 'no_lightning_payment' | 'wrong_preimage' | 'refused' }
  | { readonly kind: 'too_early'; readonly waitSeconds: number }
  /** The node has it in flight or settled: Sluice ends it as the node does. */
  | { readonly kind: 'node_in_flight' | 'node_settled' }
  /** The node that was asked to pay it does not answer, and nothing says that it is gone. */
  | { readonly kind: 'node_unknown' };

export interface PaymentEvidence {
  readonly node: NodeEvidence;
  readonly hold: HoldEvidence | null;
  readonly journals: readonly JournalEvidence[];
  readonly otherAttempts: readonly RowOf<typeof ATTEMPT>[];
  readonly next: PaymentForecast;
}

const NO_NODE: NodeEvidence = {
  status: 'none',
  feeMsat: null,
  isPreimageValid: null,
  reason: null,
  paymentIndex: 'unsupported',
  isIndexUnbroken: false,
};

/** The keys of the journals of a payment: `payment_begin` and `payment_finish` make them. */
const journalKeysOf = (id: string): string[] => [
  id,
  ...['finish', 'overtaken'].map((step) => createHash('md5').update(`${step}|${id}`).digest('hex')),
];

export interface PaymentReport {
  readonly payment: OperatorPaymentRow;
  readonly evidence: PaymentEvidence;
  readonly actions: readonly OperatorActionRow[];
}

@Injectable()
export class OperatorPaymentService {
  constructor(
    private readonly settings: PaymentSettings,
    private readonly database: Database,
    private readonly actions: OperatorActions,
    private readonly ledger: LedgerService,
    private readonly lightning: LightningNode,
  ) {}

  list({ state, accountId, olderThanSeconds, after, limit }: PaymentFilter): Promise<OperatorPaymentRow[]> {
    return this.database.query<OperatorPaymentRow>(LIST, [state, olderThanSeconds, limit, this.freshSeconds, accountId, after]);
  }

  async find(id: string): Promise<PaymentReport | undefined> {
    const payment = await this.read(id);
    return payment && { payment, evidence: await this.evidenceOf(payment), actions: await this.actions.list(id) };
  }

  /** Ends a payment as the operator has found it to end. The same transaction writes who, when and why to the operators' log. */
  async resolve(id: string, resolution: OperatorResolution): Promise<ResolveOutcome> {
    const payment = await this.read(id);
    if (!payment) return { kind: 'not_found' };
    if (payment.kind !== 'ln') return { kind: 'no_lightning_payment' };
    const preimage = resolution.state === 'settled' ? resolution.preimage.toLowerCase() : null;
    if (preimage !== null && (!HEX_32.test(preimage) || paymentHashOf(preimage) !== payment.paymentHash)) return { kind: 'wrong_preimage' };
    if (resolution.state === 'failed' && payment.state === 'in_flight' && payment.isFresh)
      return { kind: 'too_early', waitSeconds: this.freshSeconds };
    const { status: nodeStatus } = await this.askNode(payment);
    if (resolution.state === 'failed' && payment.state === 'in_flight') {
      if (nodeStatus === 'in_flight' && !resolution.isNeverSent) return { kind: 'node_in_flight' };
      if (nodeStatus === 'settled') return { kind: 'node_settled' };
      const isSilent = nodeStatus === 'unknown' || nodeStatus === 'other_node';
      if (isSilent && !resolution.isNodeGone) return { kind: 'node_unknown' };
    }
    const feeMsat = resolution.state === 'settled' ? resolution.feeMsat : 0n;
    const { state, who, because } = resolution;
    const values = [id, state, feeMsat, preimage, nodeStatus, who, because];
    const { code, lossMsat } = await queryOne<FinishResult>(this.database, RESOLVE, values);
    if (code === 'finished' || code === 'overtaken') return { kind: 'resolved', lossMsat };
    return { kind: code === 'already' ? 'ended_already' : code === 'unknown' ? 'not_found' : 'refused' };
  }

  private async read(id: string): Promise<OperatorPaymentRow | undefined> {
    return (await this.database.query<OperatorPaymentRow>(FIND, [id, this.freshSeconds]))[0];
  }

  private async evidenceOf(payment: OperatorPaymentRow): Promise<PaymentEvidence> {
    const { id, paymentHash } = payment;
    const [node, hold, journals, attempts] = await Promise.all([
      this.askNode(payment),
      this.ledger.findHold(id),
      this.ledger.listJournals(journalKeysOf(id)),
      paymentHash === null ? [] : this.database.query<RowOf<typeof ATTEMPT>>(ATTEMPTS, [paymentHash]),
    ]);
    const otherAttempts = attempts.filter((attempt) => attempt.id !== id);
    const hasEarlierAttempt = otherAttempts.some(({ state, dispatchedAt }) => state === 'failed' && dispatchedAt !== null);
    const { PAYMENT_LEASE_SECONDS: leaseSeconds } = this.settings;
    const notFoundSeconds = this.settings.notFoundSecondsIf(payment.notFoundAnew);
    const next = forecastOf({ payment, node, hasEarlierAttempt, leaseSeconds, notFoundSeconds });
    return { node, hold: hold ?? null, journals, otherAttempts, next };
  }

  /** It is `unknown` also where the command that asks has no node. */
  private async askNode({ paymentHash, nodeId, dispatchedAt }: OperatorPaymentRow): Promise<NodeEvidence> {
    if (nodeId === null || paymentHash === null) return NO_NODE;
    // A process that has just started learns here which node it has.
    await this.lightning.info();
    if (this.lightning.nodeId === '') return { ...NO_NODE, status: 'unknown', paymentIndex: 'unknown' };
    if (this.lightning.nodeId !== nodeId) return { ...NO_NODE, status: 'other_node', paymentIndex: 'unknown' };
    const [status, paymentIndex, [mark]] = await Promise.all([
      this.lightning.lookupPayment(paymentHash),
      this.lightning.latestPaymentIndex(),
      this.database.query<RowOf<typeof MARK>>(FIND_MARK, [nodeId]),
    ]);
    const isUnbroken = typeof paymentIndex === 'bigint' && mark !== undefined && paymentIndex >= mark.paymentIndex;
    return {
      status: status.status,
      feeMsat: status.status === 'settled' ? status.feeMsat : null,
      isPreimageValid: status.status === 'settled' ? paymentHashOf(status.preimage) === paymentHash : null,
      reason: status.status === 'failed' ? status.reason : null,
      paymentIndex,
      isIndexUnbroken: isUnbroken && dispatchedAt !== null && mark.unbrokenSince <= dispatchedAt,
    };
  }

  private get freshSeconds(): number {
    return this.settings.PAYMENT_LEASE_SECONDS + this.settings.waitMs / 1000;
  }
}
