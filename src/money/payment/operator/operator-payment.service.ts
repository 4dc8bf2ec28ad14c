import { Injectable } from '@nestjs/common';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { OperatorActions, type OperatorActionRow } from '../../../platform/operator-action/index.js';
import { PaymentEvidenceService, type PaymentEvidence } from './payment-evidence.service.js';
import { OperatorPaymentStore, type OperatorPaymentRow, type PaymentFilter } from './operator-payment.store.js';
import { PaymentSettings } from '../payment.settings.js';

export type OperatorResolution = { readonly who: string; readonly because: string } & (
  | { readonly state: 'settled'; readonly preimage: string; readonly feeMsat: bigint }
  /** `isNodeGone`: the operator vouches that the node, which does not answer, will never pay it. */
  | { readonly state: 'failed'; readonly isNodeGone: boolean }
);

export type ResolveOutcome =
  /** `lossMsat`: the operator's loss, because the money had been released already, or the fee exceeded the hold. */
  | { readonly kind: 'resolved'; readonly lossMsat: bigint }
  | { readonly kind: 'ended_already' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'no_lightning_payment' }
  | { readonly kind: 'wrong_preimage' }
  | { readonly kind: 'too_early'; readonly waitSeconds: number }
  /** The node has it in flight or settled: Sluice ends it as the node does. */
  | { readonly kind: 'node_in_flight' | 'node_settled' }
  /** The node that was asked to pay it does not answer, and nothing says that it is gone. */
  | { readonly kind: 'node_unknown' }
  | { readonly kind: 'refused' };

export interface PaymentReport {
  readonly payment: OperatorPaymentRow;
  readonly evidence: PaymentEvidence;
  readonly actions: readonly OperatorActionRow[];
}

@Injectable()
export class OperatorPaymentService {
  constructor(
    private readonly settings: PaymentSettings,
    private readonly store: OperatorPaymentStore,
    private readonly actions: OperatorActions,
    private readonly evidence: PaymentEvidenceService,
  ) {}

  list(filter: PaymentFilter): Promise<OperatorPaymentRow[]> {
    return this.store.list(filter, this.freshSeconds);
  }

  async find(id: string): Promise<PaymentReport | undefined> {
    const payment = await this.store.find(id, this.freshSeconds);
    return payment && { payment, evidence: await this.evidence.collect(payment), actions: await this.actions.list(id) };
  }

  /** Ends a payment as the operator has found it to end. The same transaction writes who, when and why to the operators' log. */
  async resolve(id: string, resolution: OperatorResolution): Promise<ResolveOutcome> {
    const payment = await this.store.find(id, this.freshSeconds);
    if (!payment) return { kind: 'not_found' };
    if (payment.kind !== 'ln') return { kind: 'no_lightning_payment' };
    const preimage = resolution.state === 'settled' ? resolution.preimage.toLowerCase() : null;
    if (preimage !== null && (!HEX_32.test(preimage) || paymentHashOf(preimage) !== payment.paymentHash)) return { kind: 'wrong_preimage' };
    if (resolution.state === 'failed' && payment.state === 'in_flight' && payment.isFresh)
      return { kind: 'too_early', waitSeconds: this.freshSeconds };
    const { status: nodeStatus } = await this.evidence.askNode(payment);
    if (resolution.state === 'failed' && payment.state === 'in_flight') {
      if (nodeStatus === 'in_flight') return { kind: 'node_in_flight' };
      if (nodeStatus === 'settled') return { kind: 'node_settled' };
      const isSilent = nodeStatus === 'unknown' || nodeStatus === 'other_node';
      if (isSilent && !resolution.isNodeGone) return { kind: 'node_unknown' };
    }
    const feeMsat = resolution.state === 'settled' ? resolution.feeMsat : 0n;
    const { state, who, because } = resolution;
    const { code, lossMsat } = await this.store.resolve({ id, state, feeMsat, preimage, nodeStatus, who, because });
    if (code === 'finished' || code === 'overtaken') return { kind: 'resolved', lossMsat };
    return { kind: code === 'already' ? 'ended_already' : code === 'unknown' ? 'not_found' : 'refused' };
  }

  private get freshSeconds(): number {
    return this.settings.PAYMENT_LEASE_SECONDS + this.settings.waitMs / 1000;
  }
}
