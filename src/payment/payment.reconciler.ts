import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/index.js';
import { isUnavailable } from '../database/index.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { LightningNode, type FinalPayment, type SettledPayment } from '../lightning/index.js';
import { Log } from '../logging/index.js';
import { NotFoundReconciler } from './not-found.reconciler.js';
import { PaymentFinisher } from './payment.finisher.js';
import { ReconcileStore, type DuePayment } from './reconcile.store.js';

const BATCH = 50;
const STREAM_RETRY_MS = 1_000;
const MAX_OUTCOMES_AT_ONCE = 64;

/**
 * Looks up every payment in flight at the node that was asked to pay it: at start, when the node's stream reports an end, and on a timer.
 * `failed` releases the hold if the node had reported the payment in flight; otherwise `payment_not_found` decides.
 */
@Injectable()
export class PaymentReconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log(PaymentReconciler.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private streaming: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly lightning: LightningNode,
    private readonly notFound: NotFoundReconciler,
  ) {}

  onApplicationBootstrap(): void {
    // An operator's command that needs no node runs without one, and leaves what is due to the server.
    if (this.lightning.nodeId === '') return;
    this.streaming = this.listen();
    this.schedule(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await Promise.all([this.running, this.streaming]);
  }

  /** One round: claims and looks up every payment that is due, each once. */
  async reconcile(): Promise<void> {
    for (;;) {
      const due = await this.store.due(BATCH, this.config.payment.reconcileAfterSeconds, this.config.payment.leaseSeconds);
      if (due.length > 0) await this.notFound.refreshIndex(this.stopping.signal);
      await Promise.all(due.map((payment) => this.ask(payment)));
      if (due.length < BATCH || this.stopping.signal.aborted) return;
    }
  }

  private schedule(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.reconcile()
        .catch((error: unknown) =>
          isUnavailable(error)
            ? this.log.warn('payment_reconcile_unavailable', {}, `Payments could not be reconciled: ${(error as Error).message}`)
            : this.log.error('payment_unexpected_error', {}, 'A round of the reconciler failed; the next one retries', error),
        )
        .then(() => this.schedule(this.config.payment.reconcileIntervalMs));
    }, delayMs);
  }

  /**
   * `settled` can only be about a payment that was sent. `failed` may be about an earlier attempt, and `not_found` about none, while this
   * payment is still on its way to the node: until the node has reported it in flight, the reconciler accepts neither at once. A payment
   * that the node has reported in flight was sent, whatever the node no longer knows.
   */
  private async ask(payment: DuePayment): Promise<void> {
    const { id, paymentHash, nodeId, seenInFlight: seen, leaseOver } = payment;
    if (this.lightning.nodeId !== nodeId)
      return this.log.error(
        'payment_node_mismatch',
        { paymentId: id, nodeId },
        `Payment ${id}: sent by node ${nodeId}, which is not connected`,
      );
    const status = await unlessAborted(this.lightning.lookupPayment(paymentHash), this.stopping.signal);
    if (!status || status.status === 'unknown') return;
    if (status.status === 'in_flight') return seen ? undefined : this.store.seen(id);
    if (status.status === 'settled' || (status.status === 'failed' && seen))
      return void (await this.finisher.finish({ id, paymentHash }, status));
    if (seen)
      return this.log.error(
        'payment_forgotten_by_node',
        { paymentId: id },
        `Payment ${id}: the node no longer knows it after reporting it in flight; needs operator resolution`,
      );
    if (leaseOver) await this.notFound.decide(payment, status, this.stopping.signal);
  }

  private async listen(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.notFound.refreshIndex(this.stopping.signal);
        await this.followOutcomes();
      } catch (error) {
        this.log.warn(
          'payment_outcome_stream_failed',
          {},
          `An outcome of the node's stream could not be booked: ${(error as Error).message}`,
        );
      }
      await sleep(STREAM_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Handles several outcomes at once, so that one that waits for a lock delays no other. */
  private async followOutcomes(): Promise<void> {
    const inProgress = new Set<Promise<unknown>>();
    const broken = new AbortController();
    for await (const ended of this.lightning.paymentOutcomes(AbortSignal.any([this.stopping.signal, broken.signal]))) {
      const handled: Promise<unknown> = this.handleOutcome(ended)
        .catch((error: unknown) => broken.abort(error))
        .finally(() => inProgress.delete(handled));
      inProgress.add(handled);
      if (inProgress.size >= MAX_OUTCOMES_AT_ONCE) await Promise.race(inProgress);
    }
    await Promise.all(inProgress);
    broken.signal.throwIfAborted();
  }

  /** Books `settled` at once. `failed` may be about an earlier attempt of the hash: the reconciler looks up the present one. */
  private async handleOutcome(ended: FinalPayment): Promise<void> {
    const payment = await this.store.findInFlight(ended.paymentHash, this.config.payment.leaseSeconds);
    if (!payment) return ended.status === 'settled' ? this.handleLateSettlement(ended) : undefined;
    if (ended.status === 'settled') await this.finisher.finish({ id: payment.id, paymentHash: ended.paymentHash }, ended);
    else await this.ask(payment);
  }

  /** Nearly always the dispatcher or a look-up booked it a moment ago. If not, it was sent after its hold was released. */
  private async handleLateSettlement(settled: SettledPayment & { readonly paymentHash: string }): Promise<void> {
    const id = await this.store.findReleased(settled.paymentHash);
    if (id !== undefined) await this.finisher.finish({ id, paymentHash: settled.paymentHash }, settled);
  }
}
