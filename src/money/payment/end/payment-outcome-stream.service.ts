import { Injectable } from '@nestjs/common';
import { LightningNode, type FinalPayment, type SettledPayment } from '../../lightning/index.js';
import { onAbort } from '../../../platform/kernel/on-abort.js';
import { Log } from '../../../platform/logging/index.js';
import { Leaders } from '../../../platform/job/index.js';
import { PaymentFinisher } from '../payment.finisher.js';
import { isBeforeDispatch, PaymentLookup } from './payment-lookup.service.js';
import { ReconcileStore } from '../reconcile.store.js';

const RETRY_MS = 1_000;
const MAX_AT_ONCE = 64;

/** Books the ends of payments that the node's stream reports, in one process. */
@Injectable()
export class PaymentOutcomeStream {
  private readonly log = new Log(PaymentOutcomeStream.name);

  constructor(
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly lightning: LightningNode,
    private readonly lookup: PaymentLookup,
    leaders: Leaders,
  ) {
    leaders.loop({
      name: 'payment_outcomes',
      role: 'payment_outcomes',
      pauseMs: RETRY_MS,
      round: (signal) => this.follow(signal),
      onFailure: ({ message }) =>
        this.log.warn('payment_outcome_stream_failed', {}, `An outcome of the node's stream could not be booked: ${message}`),
    });
  }

  /** Handles several outcomes at once, so that one that waits for a lock delays no other. */
  private async follow(signal: AbortSignal): Promise<void> {
    if (this.lightning.nodeId === '') return;
    await this.lookup.refreshIndex(signal);
    const inProgress = new Set<Promise<unknown>>();
    const broken = new AbortController();
    let failure: Error | undefined;
    const breakOff = (error?: Error): void => {
      failure ??= error;
      broken.abort();
    };
    const ignore = onAbort(signal, breakOff);
    try {
      for await (const ended of this.lightning.paymentOutcomes(broken.signal)) {
        const handled: Promise<unknown> = this.handleOutcome(ended, signal)
          .catch(breakOff)
          .finally(() => inProgress.delete(handled));
        inProgress.add(handled);
        if (inProgress.size >= MAX_AT_ONCE) await Promise.race(inProgress);
      }
    } finally {
      ignore();
    }
    await Promise.all(inProgress);
    if (failure) throw failure;
  }

  /** Books `settled` at once. `failed` may be about an earlier attempt of the hash: the reconciler looks up the present one. */
  private async handleOutcome(ended: FinalPayment, signal: AbortSignal): Promise<void> {
    const payment = await this.store.findInFlight(ended.paymentHash);
    if (!payment) return ended.status === 'settled' ? this.handleLateSettlement(ended) : undefined;
    if (isBeforeDispatch(payment)) return;
    if (ended.status === 'settled') await this.finisher.finish({ id: payment.id, paymentHash: ended.paymentHash }, ended);
    else await this.lookup.ask(payment, signal);
  }

  /** Nearly always the dispatcher or a look-up booked it a moment ago. If not, it was sent after its hold was released. */
  private async handleLateSettlement(settled: SettledPayment & { readonly paymentHash: string }): Promise<void> {
    const id = await this.store.findReleased(settled.paymentHash);
    if (id !== undefined) await this.finisher.finish({ id, paymentHash: settled.paymentHash }, settled);
  }
}
