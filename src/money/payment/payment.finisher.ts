import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { isUnavailable } from '../../platform/database/index.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { Clock } from '../../platform/kernel/clock.js';
import { ThrottledReport } from '../../platform/kernel/throttled-report.js';
import { paymentHashOf } from '../../platform/kernel/payment-hash.js';
import { retries } from '../../platform/kernel/retries.js';
import { Log } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import type { FinalStatus, PaymentEnd, PaymentInFlight } from './payment.outcome.js';
import { PaymentStore, type FinishCode, type FinishResult, type PaymentResolution } from './payment.store.js';

/**
 * Result of a final status. `finished`: it is booked; `known`: the payment had ended before. `refused`: it is impossible, or no longer holds; the payment stays in flight, and the operator has to look.
 * `delayed`: the database could not book it now, and the payment stays held; the finisher retries.
 */
export type FinishOutcome = 'finished' | 'known' | 'refused' | 'delayed';

const RECENT_KEPT = 1_000;
/** Longer than two reports of an end lie apart. A failover may lose the booking, and then a later report has to book it again. */
const RECENT_MS = 10_000;
/** This process retries at most this many final statuses, each for at most the time below; the reconciler takes over the others. */
const MAX_RETRYING = 10_000;
const GIVE_UP_AFTER_MS = 3_600_000;
/** Sluice's own transactions end sooner: another session holds a lock that lasts this long. */
const OVERDUE_MS = 2_000;

/** The only way to end a payment in flight, whether the dispatcher, the stream or the reconciler got its final status. */
@Injectable()
export class PaymentFinisher implements OnApplicationShutdown {
  private readonly log = new Log(PaymentFinisher.name);
  private readonly losses: Counter<'cause'>;

  /** The node reports most ends twice, as a response and on its stream: this deduplicates what this process has just finished. */
  private readonly recent = new BoundedMap<string, { readonly finishing: Promise<FinishOutcome>; readonly since: number }>(RECENT_KEPT);
  private readonly retrying = new Map<string, { readonly since: number }>();
  private readonly stopping = new AbortController();
  private readonly locked = new ThrottledReport((ids) =>
    this.log.warn(
      'payment_outcome_locked',
      { paymentIds: ids },
      `Payment ${ids}: its outcome waits for a row that is locked by another session`,
    ),
  );
  private readonly unavailable = new ThrottledReport((ids, because) =>
    this.log.warn(
      'payment_outcome_delayed',
      { paymentIds: ids },
      `Payment ${ids}: its outcome could not be booked, retrying; the money stays held: ${because}`,
    ),
  );

  constructor(
    private readonly store: PaymentStore,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'What payments have cost the operator: overcharged (more than was held) and overtaken (sent after the money was released)';
    this.losses = metrics.counter('sluice_payment_losses_msat_total', help, ['cause']);
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** @throws on a bug; an outage of the database is `delayed` */
  finish(payment: PaymentInFlight, outcome: FinalStatus): Promise<FinishOutcome> {
    const key = `${payment.id} ${outcome.status}`;
    const known = this.recent.get(key);
    const since = this.clock.elapsed();
    if (known && since - known.since < RECENT_MS) return known.finishing;
    const finishing = this.book(payment, outcome);
    this.recent.set(key, { finishing, since });
    // A status that was not booked may be retried.
    finishing.then((finish) => finish === 'finished' || finish === 'known' || this.recent.delete(key)).catch(() => this.recent.delete(key));
    return finishing;
  }

  async end(payment: PaymentInFlight, outcome: FinalStatus): Promise<PaymentEnd | undefined> {
    if ((await this.finish(payment, outcome)) !== 'finished') return undefined;
    const transactionId = payment.id;
    return outcome.status === 'settled' ? { kind: 'settled', transactionId } : { kind: 'failed', transactionId, reason: outcome.reason };
  }

  private async book(payment: PaymentInFlight, outcome: FinalStatus): Promise<FinishOutcome> {
    const { id, paymentHash } = payment;
    if (outcome.status === 'settled' && paymentHashOf(outcome.preimage) !== paymentHash) {
      this.log.error(
        'payment_preimage_mismatch',
        { paymentId: id, paymentHash },
        `Payment ${id}: settled with a preimage that does not fit its hash; rejected, the money stays held`,
      );
      return 'refused';
    }
    const ended = await this.store.finish(resolutionOf(id, outcome)).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      this.unavailable.add(id, (error as Error).message);
    });
    if (ended?.code === 'locked' && this.isOverdue(payment, outcome)) this.locked.add(id);
    if (!ended || ended.code === 'locked') {
      this.retryLater(payment, outcome);
      return 'delayed';
    }
    return this.report(id, outcome, ended);
  }

  private report(id: string, outcome: FinalStatus, { code, lossMsat }: FinishResult): FinishOutcome {
    if (lossMsat > 0n) this.logLoss(id, code, lossMsat);
    if (code === 'refused') {
      const result = outcome.status === 'settled' ? `settled for a fee of ${outcome.feeMsat} msat` : 'failed';
      this.log.error(
        'payment_outcome_rejected',
        { paymentId: id },
        `Payment ${id}: outcome "${result}" rejected by the ledger; left in flight`,
      );
    }
    if (code === 'refused' || code === 'held') return 'refused';
    return code === 'finished' ? 'finished' : 'known';
  }

  /** `lost` is not retried: it holds only at the moment of the look-up. */
  private retryLater(payment: PaymentInFlight, outcome: FinalStatus): void {
    const key = `${payment.id} ${outcome.status}`;
    if (outcome.status === 'lost' || this.retrying.has(key) || this.retrying.size >= MAX_RETRYING) return;
    this.retrying.set(key, { since: performance.now() });
    this.retryUntilBooked(payment, outcome)
      .catch((error: unknown) =>
        this.log.error('payment_unexpected_error', { paymentId: payment.id }, `Payment ${payment.id}: booking its outcome failed`, error),
      )
      .finally(() => this.retrying.delete(key));
  }

  private isOverdue({ id }: PaymentInFlight, { status }: FinalStatus): boolean {
    const { since = Infinity } = this.retrying.get(`${id} ${status}`) ?? {};
    return performance.now() - since >= OVERDUE_MS;
  }

  private async retryUntilBooked(payment: PaymentInFlight, outcome: FinalStatus): Promise<void> {
    const since = performance.now();
    for await (const retry of retries(this.stopping.signal)) {
      if ((await this.finish(payment, outcome)) !== 'delayed') return;
      if (performance.now() - since > GIVE_UP_AFTER_MS)
        return this.log.error(
          'payment_outcome_left_to_reconciler',
          { paymentId: payment.id },
          `Payment ${payment.id}: outcome not booked in ${retry} retries; left to the reconciler`,
        );
    }
  }

  /** Reports the operator's loss: the payer was answered with a failure, or may not be charged more than was held. */
  private logLoss(id: string, code: FinishCode, lossMsat: bigint): void {
    const cause = code === 'overtaken' ? 'overtaken' : 'overcharged';
    this.losses.inc({ cause }, Number(lossMsat));
    const fields = { paymentId: id, lossMsat: String(lossMsat) };
    if (cause === 'overtaken')
      this.log.error(
        'payment_settled_after_release',
        fields,
        `Payment ${id}: settled by the node after its money was released; ${lossMsat} msat booked to the loss account`,
      );
    else
      this.log.error('payment_overcharged', fields, `Payment ${id}: cost ${lossMsat} msat more than was held; booked to the loss account`);
  }
}

const resolutionOf = (id: string, outcome: FinalStatus): PaymentResolution =>
  outcome.status === 'settled'
    ? { id, state: 'settled', feeMsat: outcome.feeMsat, preimage: outcome.preimage, failure: null }
    : { id, state: outcome.status, feeMsat: 0n, preimage: null, failure: outcome.reason };
