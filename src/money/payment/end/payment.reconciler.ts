import { Injectable } from '@nestjs/common';
import { isUnavailable } from '../../../platform/database/index.js';
import { Log } from '../../../platform/logging/index.js';
import { Loops } from '../../../platform/loop/index.js';
import { PaymentLookup } from './payment-lookup.service.js';
import { PaymentRails } from '../rails/rails.js';
import { ReconcileStore } from './reconcile.store.js';
import { PaymentSettings } from '../payment.settings.js';

const BATCH = 50;
const MAX_ROUND_MS = 600_000;

/**
 * Looks up every payment in flight at the node that was asked to pay it: at start and on a timer; `PaymentOutcomeStream` looks it up when
 * the node's stream reports an end. `failed` releases the hold if the node had reported the payment in flight; otherwise
 * `payment_not_found` decides.
 */
@Injectable()
export class PaymentReconciler {
  private readonly log = new Log(PaymentReconciler.name);

  constructor(
    settings: PaymentSettings,
    private readonly store: ReconcileStore,
    private readonly rails: PaymentRails,
    private readonly lookup: PaymentLookup,
    loops: Loops,
  ) {
    loops.run({
      name: 'payment_reconcile',
      pauseMs: settings.reconcileIntervalMs,
      limitMs: MAX_ROUND_MS,
      round: (signal) => this.reconcile(signal),
      onFailure: (error) =>
        isUnavailable(error)
          ? this.log.warn('payment_reconcile_unavailable', {}, `Payments could not be reconciled: ${error.message}`)
          : this.log.error('payment_unexpected_error', {}, 'A round of the reconciler failed; the next one retries', error),
    });
  }

  async reconcile(signal: AbortSignal): Promise<void> {
    // A claim postpones the next look-up of a payment, so none is claimed before there is something to ask.
    if (!this.rails.areReady) return;
    for (;;) {
      const due = await this.store.due(BATCH);
      if (due.length > 0) await this.lookup.refreshIndex(signal);
      await Promise.all(due.map((payment) => this.lookup.ask(payment, signal)));
      if (due.length < BATCH || signal.aborted) return;
    }
  }
}
