import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { LedgerEvidenceService, type HoldEvidence, type JournalEvidence } from '../../ledger/index.js';
import { LightningNode } from '../../lightning/index.js';
import { type NodeEvidence, forecastOf, type PaymentForecast } from './payment-forecast.js';
import { OperatorPaymentStore, type OperatorPaymentRow, type PaymentAttemptRow } from './operator-payment.store.js';
import { PaymentSettings } from '../payment.settings.js';

export interface PaymentEvidence {
  readonly node: NodeEvidence;
  readonly hold: HoldEvidence | null;
  readonly journals: readonly JournalEvidence[];
  readonly otherAttempts: readonly PaymentAttemptRow[];
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

@Injectable()
export class PaymentEvidenceService {
  constructor(
    private readonly settings: PaymentSettings,
    private readonly store: OperatorPaymentStore,
    private readonly ledger: LedgerEvidenceService,
    private readonly lightning: LightningNode,
  ) {}

  async collect(payment: OperatorPaymentRow): Promise<PaymentEvidence> {
    const { id, paymentHash } = payment;
    const [node, hold, journals, attempts] = await Promise.all([
      this.askNode(payment),
      this.ledger.findHold(id),
      this.ledger.listJournals(journalKeysOf(id)),
      paymentHash === null ? [] : this.store.attempts(paymentHash),
    ]);
    const otherAttempts = attempts.filter((attempt) => attempt.id !== id);
    const hasEarlierAttempt = otherAttempts.some(({ state, dispatchedAt }) => state === 'failed' && dispatchedAt !== null);
    const { PAYMENT_LEASE_SECONDS: leaseSeconds, notFoundSeconds } = this.settings;
    const next = forecastOf({ payment, node, hasEarlierAttempt, leaseSeconds, notFoundSeconds });
    return { node, hold: hold ?? null, journals, otherAttempts, next };
  }

  /** It is `unknown` also where the command that asks has no node. */
  async askNode({ paymentHash, nodeId, dispatchedAt }: OperatorPaymentRow): Promise<NodeEvidence> {
    if (nodeId === null || paymentHash === null) return NO_NODE;
    // A process that has just started learns here which node it has.
    await this.lightning.info();
    if (this.lightning.nodeId === '') return { ...NO_NODE, status: 'unknown', paymentIndex: 'unknown' };
    if (this.lightning.nodeId !== nodeId) return { ...NO_NODE, status: 'other_node', paymentIndex: 'unknown' };
    const [status, paymentIndex, mark] = await Promise.all([
      this.lightning.lookupPayment(paymentHash),
      this.lightning.latestPaymentIndex(),
      this.store.findNodeMark(nodeId),
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
}
