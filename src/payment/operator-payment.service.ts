import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { OperatorPaymentStore, type OperatorActionRow, type OperatorPaymentRow, type PaymentFilter } from './operator-payment.store.js';

/** How an operator says that a payment ended, and on what grounds. */
export type Verdict = { readonly who: string; readonly because: string } & (
  { readonly state: 'settled'; readonly preimage: string; readonly feeMsat: bigint } | { readonly state: 'failed' }
);

export type Resolved =
  /** `lossMsat`: what it costs the operator, because the money had been given back, or the fee was more than was held. */
  | { readonly kind: 'resolved'; readonly lossMsat: bigint }
  /** It ended before, or another payment of its hash is the one that was paid. */
  | { readonly kind: 'ended_already' }
  | { readonly kind: 'not_found' }
  /** No node was asked to make it, so that nothing can be unknown of it. */
  | { readonly kind: 'no_lightning_payment' }
  | { readonly kind: 'wrong_preimage' }
  /** Its node may be about to answer. */
  | { readonly kind: 'too_early'; readonly waitSeconds: number }
  /** The ledger does not take it. */
  | { readonly kind: 'refused' };

export interface PaymentReport {
  readonly payment: OperatorPaymentRow;
  readonly actions: readonly OperatorActionRow[];
}

/** Payments for the operator: those that stay held, and what the operator knows of them. */
@Injectable()
export class OperatorPaymentService {
  constructor(
    private readonly config: Config,
    private readonly store: OperatorPaymentStore,
  ) {}

  /** The latest first. */
  list(filter: PaymentFilter): Promise<OperatorPaymentRow[]> {
    return this.store.list(filter, this.freshSeconds);
  }

  async find(id: string): Promise<PaymentReport | undefined> {
    const payment = await this.store.find(id, this.freshSeconds);
    return payment && { payment, actions: await this.store.actions(id) };
  }

  /** Ends a payment by what the operator has found out. The audit log has who, when and why, in the same transaction. */
  async resolve(id: string, verdict: Verdict): Promise<Resolved> {
    const payment = await this.store.find(id, this.freshSeconds);
    if (!payment) return { kind: 'not_found' };
    if (payment.kind !== 'ln') return { kind: 'no_lightning_payment' };
    const preimage = verdict.state === 'settled' ? verdict.preimage.toLowerCase() : null;
    if (preimage !== null && (!/^[0-9a-f]{64}$/.test(preimage) || sha256(preimage) !== payment.paymentHash))
      return { kind: 'wrong_preimage' };
    if (verdict.state === 'failed' && payment.state === 'in_flight' && payment.isFresh)
      return { kind: 'too_early', waitSeconds: this.freshSeconds };
    const feeMsat = verdict.state === 'settled' ? verdict.feeMsat : 0n;
    const { state, who, because } = verdict;
    const { code, lossMsat } = await this.store.resolve({ id, state, feeMsat, preimage, who, because });
    if (code === 'finished' || code === 'overtaken') return { kind: 'resolved', lossMsat };
    return { kind: code === 'already' ? 'ended_already' : code === 'unknown' ? 'not_found' : 'refused' };
  }

  private get freshSeconds(): number {
    return this.config.payment.leaseSeconds + this.config.payment.waitMs / 1000;
  }
}

const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
