import { Injectable } from '@nestjs/common';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { Log } from '../../../platform/logging/index.js';
import { Leaders } from '../../../platform/job/index.js';
import { PaymentFinisher } from './payment.finisher.js';
import { PaymentRails } from '../rails/rails.js';
import { ReconcileStore, type FailedPaymentRow } from './reconcile.store.js';
import { PaymentSettings } from '../payment.settings.js';

const PAGE = 10;
/** A pass over all of them begins at start, and the next one no sooner than this after the last one began. */
const CYCLE_MS = 3_600_000;

/**
 * Looks up payments whose money was released, as long as the node's answer may still change: a payment that reached the node late, or that
 * the node had lost from its records, may still settle. The stream reports that once, and not while it is interrupted.
 */
@Injectable()
export class FailedPaymentReconciler {
  private readonly log = new Log(FailedPaymentReconciler.name);
  private last: FailedPaymentRow | undefined;
  private beganAt = -Infinity;
  private isDone = true;

  constructor(
    settings: PaymentSettings,
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly rails: PaymentRails,
    leaders: Leaders,
  ) {
    leaders.loop({
      name: 'payment_recheck',
      role: 'payment_outcomes',
      pauseMs: settings.reconcileIntervalMs,
      round: (signal) => this.reconcile(signal),
      onFailure: ({ message }) =>
        this.log.warn('payment_recheck_unavailable', {}, `Failed payments could not be looked up again: ${message}`),
    });
  }

  private async reconcile(signal: AbortSignal): Promise<void> {
    if (!this.rails.areReady) return;
    if (this.isDone && performance.now() - this.beganAt < CYCLE_MS) return;
    if (this.isDone) [this.isDone, this.beganAt, this.last] = [false, performance.now(), undefined];
    const page = await this.store.failedPage(PAGE, this.last);
    for (const payment of page) {
      if (signal.aborted) return;
      await this.ask(payment, signal);
      this.last = payment;
    }
    this.isDone = page.length < PAGE;
  }

  private async ask(payment: FailedPaymentRow, signal: AbortSignal): Promise<void> {
    const { id, paymentHash } = payment;
    const status = await unlessAborted(this.rails.status(payment), signal);
    if (status?.status !== 'settled' && status?.status !== 'in_flight') return;
    // If another payment of this hash is settled or in flight, the node's answer is about that one.
    const released = await this.store.findReleased(paymentHash);
    if (released === undefined) return;
    if (status.status === 'settled') await this.finisher.finish({ id: released, paymentHash }, status);
    else
      this.log.error(
        'payment_in_flight_after_release',
        { paymentId: id },
        `Payment ${id}: in flight at the node after its money was released; if it settles, it is booked to the loss account`,
      );
  }
}
