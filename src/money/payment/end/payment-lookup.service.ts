import { Injectable } from '@nestjs/common';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { Log } from '../../../platform/logging/index.js';
import { NotFoundReconciler } from './not-found.reconciler.js';
import { PaymentFinisher } from './payment.finisher.js';
import { PaymentRails } from '../rails/rails.js';
import { ReconcileStore, type DuePayment } from './reconcile.store.js';

@Injectable()
export class PaymentLookup {
  private readonly log = new Log(PaymentLookup.name);

  constructor(
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly rails: PaymentRails,
    private readonly notFound: NotFoundReconciler,
  ) {}

  /** Call it before look-ups: only a recent payment index shows that the node was restored from an older copy. */
  async refreshIndex(signal: AbortSignal): Promise<void> {
    await this.notFound.refreshIndex(signal);
  }

  /**
   * `settled` can only be about a payment that was sent. `failed` may be about an earlier attempt, and `not_found` about none, while this
   * payment is still on its way to the node: until the node has reported it in flight, the reconciler accepts neither at once. A payment
   * that the node has reported in flight was sent, whatever the node no longer knows.
   */
  async ask(payment: DuePayment, signal: AbortSignal): Promise<void> {
    const { id, paymentHash, nodeId, seenInFlight: seen, leaseOver } = payment;
    const status = await unlessAborted(this.rails.status(payment), signal);
    if (!status || status.status === 'unknown') return;
    if (status.status === 'other_node')
      return this.log.error(
        'payment_node_mismatch',
        { paymentId: id, nodeId },
        `Payment ${id}: sent by node ${nodeId}, which is not connected`,
      );
    if (status.status === 'in_flight') return seen ? undefined : this.store.seen(id);
    if (status.status === 'settled' || (status.status === 'failed' && seen))
      return void (await this.finisher.finish({ id, paymentHash }, status));
    if (seen)
      return this.log.error(
        'payment_forgotten_by_node',
        { paymentId: id },
        `Payment ${id}: the node no longer knows it after reporting it in flight; needs operator resolution`,
      );
    if (leaseOver) await this.notFound.decide(payment, status, signal);
  }
}
