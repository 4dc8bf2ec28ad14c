import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/index.js';
import { isUnavailable } from '../database/index.js';
import { Clock } from '../kernel/clock.js';
import { ThrottledReport } from '../kernel/throttled-report.js';
import type { Msat } from '../kernel/money.js';
import { retries } from '../kernel/retries.js';
import { newId } from '../kernel/uuid.js';
import { LightningNode, type Bolt11Invoice } from '../lightning/index.js';
import { Log } from '../logging/index.js';
import { PaymentFinisher, type PaymentInFlight } from './payment.finisher.js';
import { ReconcileStore, type DispatchVerdict } from './reconcile.store.js';

/** A payment that has begun and that the node has to send. */
export interface Dispatch {
  readonly id: string;
  /** The payer. */
  readonly userId: string;
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly amountMsat: Msat;
  readonly feeLimitMsat: Msat;
}

type DispatchResult = Exclude<DispatchVerdict, 'locked'> | 'unconfirmed' | 'fault';

/** The dispatcher sends a payment within this share of its lease, or never. */
const DISPATCH_SHARE = 1 / 2;
/** Most payments end sooner than this after the node has begun them; for those the dispatcher need not record the sighting. */
const SEEN_LINGER_MS = 250;

/** Sends payments to the node, fire and forget; the outcome arrives through `PaymentOutcomeWaiter`. */
@Injectable()
export class PaymentDispatcher implements OnApplicationShutdown {
  private readonly log = new Log(PaymentDispatcher.name);
  private readonly stopping = new AbortController();
  private readonly openCopies = new Set<(invoice: Bolt11Invoice) => void>();
  private readonly unconfirmed = new ThrottledReport((ids, because) =>
    this.log.warn(
      'payment_dispatch_unconfirmed',
      { paymentIds: ids },
      `Payment ${ids}: not sent, because the database did not confirm the dispatch; asking again: ${because}`,
    ),
  );
  private readonly unnoted = new ThrottledReport((ids, because) =>
    this.log.warn(
      'payment_sighting_not_stored',
      { paymentIds: ids },
      `Payment ${ids}: in flight at the node, which the database did not store: ${because}`,
    ),
  );

  constructor(
    private readonly config: Config,
    private readonly lightning: LightningNode,
    private readonly finisher: PaymentFinisher,
    private readonly store: ReconcileStore,
    private readonly clock: Clock,
  ) {}

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** The node by which a payment that begins now is sent. */
  get nodeId(): string {
    return this.lightning.nodeId;
  }

  /** @param ageMs time since before the payment began, so that no payment is sent after its lease */
  dispatch(payment: Dispatch, ageMs: () => number): void {
    this.send(payment, ageMs).catch(this.failed('dispatch', payment));
  }

  /** Cancels an internally paid invoice at the node. If an outside payer is faster, Sluice credits that payment too. */
  closeNodesCopy(invoice: Bolt11Invoice): void {
    this.close(invoice).catch(this.failed("cancelling the node's copy of the invoice", invoice));
  }

  /** Calls `listener` with each internally paid invoice that the node has not confirmed to have cancelled. */
  onOpenCopy(listener: (invoice: Bolt11Invoice) => void): void {
    this.openCopies.add(listener);
  }

  private async close(invoice: Bolt11Invoice): Promise<void> {
    const { paymentHash, payeeNodeId } = invoice;
    const closed = await this.lightning.cancelInvoice(paymentHash);
    // `not_found` from a node that did not create the invoice says nothing about the node that did.
    if (closed !== 'unknown' && (closed !== 'not_found' || payeeNodeId === this.lightning.nodeId)) return;
    this.log.warn(
      'invoice_cancel_unconfirmed',
      { paymentHash },
      `Invoice ${paymentHash}: settled internally, but the node did not confirm the cancellation; risk of double payment until it does`,
    );
    for (const listener of this.openCopies) listener(invoice);
  }

  /**
   * A result that is not final leaves the payment in flight: the stream or the reconciler gets the outcome. A payment that is late is not
   * sent, because the reconciler may already count it as never sent (`payment_not_found`).
   */
  private async send({ id, userId, paymentHash, paymentRequest, amountMsat, feeLimitMsat }: Dispatch, ageMs: () => number): Promise<void> {
    const isLate = (): boolean => ageMs() > this.config.payment.leaseSeconds * 1000 * DISPATCH_SHARE;
    if (isLate() || !(await this.mayBeSent({ id, paymentHash }, isLate))) return;
    const timeoutSeconds = Math.ceil(this.config.payment.waitMs / 1000);
    const sighting = this.sightingOf(id);
    const outcome = await this.lightning.pay(
      { paymentRequest, paymentHash, amountMsat, feeLimitMsat, timeoutSeconds, onInFlight: sighting.note },
      userId,
      (late) => void this.finisher.finish({ id, paymentHash }, late).catch(this.failed('booking a late outcome', { id, paymentHash })),
    );
    if (outcome.status === 'settled' || outcome.status === 'failed') {
      sighting.drop();
      await this.finisher.finish({ id, paymentHash }, outcome);
    } else if (outcome.status === 'not_sent' && !sighting.isNoted()) {
      await this.finisher.finish({ id, paymentHash }, { status: 'failed', reason: 'never_sent' });
    } else {
      if (outcome.status === 'not_sent')
        this.log.error(
          'payment_dispatch_contradicted',
          { paymentId: id },
          `Payment ${id}: reported in flight, then as not sent; the money stays held`,
        );
      await sighting.write();
    }
  }

  /**
   * Sends only what the database confirms, because the payment may have ended meanwhile. If the database does not answer, the dispatcher
   * asks again with the same token, which no other dispatcher has. It sends nothing before `taken`, so a payment that becomes `taken` too
   * late was certainly not sent, and its hold is released at once.
   */
  private async mayBeSent(payment: PaymentInFlight, isLate: () => boolean): Promise<boolean> {
    const verdict = await this.verdictOn(payment.id);
    if (verdict === 'fault') await this.finisher.finish(payment, { status: 'unsent', reason: 'never_sent' });
    if (verdict !== 'taken') return false;
    const late = isLate();
    if (late) await this.finisher.finish(payment, { status: 'failed', reason: 'never_sent' });
    return !late;
  }

  /** Retries `unconfirmed` for `notFoundSeconds`. After that the node's status decides, as for any payment that was sent. */
  private async verdictOn(id: string): Promise<DispatchResult> {
    const token = newId();
    const until = performance.now() + this.config.payment.notFoundSeconds * 1000;
    let verdict = await this.claim(id, token);
    if (verdict !== 'unconfirmed') return verdict;
    for await (const _retry of retries(this.stopping.signal)) {
      verdict = await this.claim(id, token);
      if (verdict !== 'unconfirmed' || performance.now() > until) break;
    }
    return verdict;
  }

  private async claim(id: string, token: string): Promise<DispatchResult> {
    try {
      const verdict = await this.store.dispatch({ id, token });
      if (verdict !== 'locked') return verdict;
      this.unconfirmed.add(id, 'locked by another session');
    } catch (error) {
      if (!isUnavailable(error)) {
        this.failed('dispatch', { id })(error);
        return 'fault';
      }
      this.unconfirmed.add(id, (error as Error).message);
    }
    return 'unconfirmed';
  }

  /** Records that the node has reported the payment in flight while `pay` runs, unless it ends within `SEEN_LINGER_MS`. */
  private sightingOf(id: string): { note: () => void; isNoted: () => boolean; drop: () => void; write: () => Promise<void> } {
    let drop: (() => void) | undefined;
    const write = async (): Promise<void> => {
      if (!drop) return;
      drop();
      await this.store.seen(id).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        this.unnoted.add(id, (error as Error).message);
      });
    };
    const note = (): void => {
      drop ??= this.clock.timeout(SEEN_LINGER_MS, () => void write().catch(this.failed('storing that it is in flight', { id })));
    };
    return { note, isNoted: () => drop !== undefined, drop: () => drop?.(), write };
  }

  private failed(step: string, { id, paymentHash }: { readonly id?: string; readonly paymentHash?: string }): (error: unknown) => void {
    const what = id === undefined ? `Invoice ${paymentHash}` : `Payment ${id}`;
    return (error) => this.log.error('payment_unexpected_error', { paymentId: id, paymentHash }, `${what}: ${step} failed`, error);
  }
}
