import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isUnavailable } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { ThrottledReport } from '../../../platform/kernel/throttled-report.js';
import { retries, untilDone } from '../../../platform/kernel/retries.js';
import { LightningNode } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import type { PaymentEnd, PaymentInFlight } from '../payment.outcome.js';
import { PaymentFinisher } from '../payment.finisher.js';
import { PaymentSettings } from '../payment.settings.js';
import { ReconcileStore, type DispatchVerdict } from '../reconcile.store.js';
import type { BegunPayment } from './rail.js';

interface Dispatch extends BegunPayment {
  /** The node that the payment is pinned to; empty if none had answered when it began. */
  readonly nodeId: string;
  readonly paymentHash: string;
  readonly paymentRequest: string;
}

const NEVER_SENT = { status: 'failed', reason: 'never_sent' } as const;

type DispatchResult = Exclude<DispatchVerdict, 'locked'> | 'unconfirmed' | 'fault';

/** The dispatcher sends a payment within this share of its lease, or never. */
const DISPATCH_SHARE = 1 / 2;
/** Most payments end sooner than this after the node has begun them; for those the dispatcher need not record the sighting. */
const SEEN_LINGER_MS = 250;

@Injectable()
export class LightningDispatcher implements OnApplicationShutdown {
  private readonly log = new Log(LightningDispatcher.name);
  private readonly stopping = new AbortController();
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
    private readonly settings: PaymentSettings,
    private readonly lightning: LightningNode,
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly clock: Clock,
  ) {}

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * Never rejects.
   * @param ageMs time since before the payment began, so that no payment is sent after its lease
   * @returns the end that this process has booked; undefined if the payment is in flight, or has ended otherwise
   */
  async dispatch(payment: Dispatch, ageMs: () => number): Promise<PaymentEnd | undefined> {
    try {
      return await this.send(payment, ageMs);
    } catch (error) {
      this.onUnexpected('dispatch', payment)(error);
      return undefined;
    }
  }

  /**
   * A result that is not final leaves the payment in flight: the stream or the reconciler gets the outcome. A payment that is late is not
   * sent, because the reconciler may already count it as never sent (`payment_not_found`).
   */
  private async send(payment: Dispatch, ageMs: () => number): Promise<PaymentEnd | undefined> {
    const { id, userId, nodeId, paymentHash, paymentRequest, amountMsat, feeLimitMsat } = payment;
    const isLate = (): boolean => ageMs() > this.settings.PAYMENT_LEASE_SECONDS * 1000 * DISPATCH_SHARE;
    if (isLate()) return undefined;
    const claimed = await this.claimToSend({ id, paymentHash }, isLate);
    if (claimed !== 'taken') return claimed;
    if (nodeId === '' || nodeId !== this.lightning.nodeId) return this.finisher.end({ id, paymentHash }, NEVER_SENT);
    const timeoutSeconds = Math.ceil(this.settings.waitMs / 1000);
    const sighting = this.sightingOf(id);
    let onDisconnected: (() => void) | undefined;
    const disconnected = new Promise<void>((resolve) => (onDisconnected = resolve));
    const outcome = await this.lightning.pay(
      { paymentRequest, paymentHash, amountMsat, feeLimitMsat, timeoutSeconds, onInFlight: sighting.note, isLate, onDisconnected },
      userId,
      (late) => void this.finisher.end({ id, paymentHash }, late).catch(this.onUnexpected('booking a late outcome', { id, paymentHash })),
    );
    if (outcome.status === 'settled' || outcome.status === 'failed') {
      sighting.drop();
      return this.finisher.end({ id, paymentHash }, outcome);
    }
    if (outcome.status === 'not_sent' && !sighting.isNoted())
      return this.finisher.end({ id, paymentHash }, outcome.isKnown ? { status: 'failed', reason: 'known_to_node' } : NEVER_SENT);
    if (outcome.status === 'not_sent')
      this.log.error(
        'payment_dispatch_contradicted',
        { paymentId: id },
        `Payment ${id}: reported in flight, then as not sent; the money stays held`,
      );
    // Recorded until the database has it: otherwise the money stays held for long.
    if (outcome.status === 'unknown' && !sighting.isNoted())
      void disconnected.then(() =>
        untilDone(
          () => this.store.disconnected(id),
          this.stopping.signal,
          () => undefined,
        ),
      );
    await sighting.write();
    return undefined;
  }

  /**
   * Sends only what the database confirms, because the payment may have ended meanwhile. If the database does not answer, the dispatcher
   * asks again with the same token, which no other dispatcher has. It sends nothing before `taken`, so a payment that becomes `taken` too
   * late was certainly not sent, and its hold is released at once.
   * @returns `taken`: send it now; otherwise do not send it
   */
  private async claimToSend(payment: PaymentInFlight, isLate: () => boolean): Promise<'taken' | PaymentEnd | undefined> {
    const verdict = await this.verdictOn(payment.id);
    if (verdict === 'fault') return this.finisher.end(payment, { status: 'unsent', reason: 'never_sent' });
    if (verdict !== 'taken') return undefined;
    return isLate() ? this.finisher.end(payment, NEVER_SENT) : 'taken';
  }

  /** Retries `unconfirmed` for `notFoundSeconds`. After that the node's status decides, as for any payment that was sent. */
  private async verdictOn(id: string): Promise<DispatchResult> {
    const token = this.store.newToken();
    const until = performance.now() + this.settings.notFoundSeconds * 1000;
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
        this.onUnexpected('dispatch', { id })(error);
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
      drop ??= this.clock.timeout(SEEN_LINGER_MS, () => void write().catch(this.onUnexpected('storing that it is in flight', { id })));
    };
    return { note, isNoted: () => drop !== undefined, drop: () => drop?.(), write };
  }

  private onUnexpected(
    step: string,
    { id, paymentHash }: { readonly id: string; readonly paymentHash?: string },
  ): (error: unknown) => void {
    return (error) => this.log.error('payment_unexpected_error', { paymentId: id, paymentHash }, `Payment ${id}: ${step} failed`, error);
  }
}
