import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/index.js';
import type { Msat } from '../kernel/money.js';
import { LightningNode, type Bolt11Invoice, type PayResult } from '../lightning/index.js';
import { PaymentFinisher, type InFlight } from './payment.finisher.js';

/** A payment that has begun and that the node is to be asked for. */
export interface Dispatch {
  readonly id: string;
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly amountMsat: Msat;
  readonly feeLimitMsat: Msat;
}

/** A payment is sent in the first half of its lease, or never. */
const DISPATCH_SHARE = 1 / 2;

/** What payments want of the node. Nobody waits for it: how it went is told by events. */
@Injectable()
export class PaymentDispatcher {
  private readonly log = new Logger(PaymentDispatcher.name);

  constructor(
    private readonly config: Config,
    private readonly lightning: LightningNode,
    private readonly finisher: PaymentFinisher,
  ) {}

  /** The node by which a payment that begins now is sent. */
  get nodeId(): string {
    return this.lightning.nodeId;
  }

  /** @param ageMs how long ago the caller asked: before the payment began, so that its lease is never overstayed */
  dispatch(payment: Dispatch, ageMs: () => number): void {
    this.send(payment, ageMs).catch((error: unknown) => this.log.error(error));
  }

  /** Our own invoice was paid inside: nobody outside may pay it again. Should somebody be faster, it is credited as a second payment. */
  closeNodesCopy(invoice: Bolt11Invoice): void {
    this.close(invoice).catch((error: unknown) => this.log.error(error));
  }

  private async close({ paymentHash, payeeNodeId }: Bolt11Invoice): Promise<void> {
    const closed = await this.lightning.cancelInvoice(paymentHash);
    // A node that has no such invoice says nothing about the copy of the one that made it.
    if (closed === 'unknown' || (closed === 'not_found' && payeeNodeId !== this.lightning.nodeId))
      this.log.warn(`Invoice ${paymentHash} was paid inside the house, and its node could not be told: it may be paid there once more`);
  }

  /**
   * Whatever is not final leaves the payment in flight: the stream and the reconciler will hear of it. One that comes too late is not sent:
   * the reconciler may have begun to believe that it never will be (`payment_not_found`).
   */
  private async send({ id, paymentHash, paymentRequest, amountMsat, feeLimitMsat }: Dispatch, ageMs: () => number): Promise<void> {
    if (ageMs() > this.config.payment.leaseSeconds * 1000 * DISPATCH_SHARE) return;
    const timeoutSeconds = Math.ceil(this.config.payment.waitMs / 1000);
    const outcome = await this.lightning.pay({ paymentRequest, paymentHash, amountMsat, feeLimitMsat, timeoutSeconds }, (settled) => {
      this.finish({ id, paymentHash }, settled).catch((error: unknown) => this.log.error(error));
    });
    await this.finish({ id, paymentHash }, outcome);
  }

  private async finish(payment: InFlight, outcome: PayResult): Promise<void> {
    if (outcome.status === 'unknown') return;
    await this.finisher.finish(payment, outcome.status === 'not_sent' ? { status: 'failed', reason: 'never_sent' } : outcome);
  }
}
