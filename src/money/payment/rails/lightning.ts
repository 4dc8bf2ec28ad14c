import { Injectable } from '@nestjs/common';
import { LightningNode } from '../../lightning/index.js';
import type { PaymentEnd } from '../payment.outcome.js';
import { LightningDispatcher } from './lightning.dispatcher.js';
import { LightningQuotes, type LightningOrder, type LightningQuote } from './lightning-quote.service.js';
import { RailContext } from './rail.js';
import type { BegunPayment, PaymentQuote, RailPayer, RailStatus, Refused, SendingRail, SentPayment } from './rail.js';

/** Pays BOLT 11 invoices through the Lightning node. An invoice of Sluice's own is settled inside, and closed at the node. */
@Injectable()
export class LightningRail implements SendingRail<LightningOrder> {
  readonly name = 'lightning';

  constructor(
    private readonly quotes: LightningQuotes,
    private readonly lightning: LightningNode,
    private readonly dispatcher: LightningDispatcher,
    private readonly context: RailContext,
  ) {}

  quote(payer: RailPayer, order: LightningOrder): Promise<LightningQuote | Refused> {
    return this.quotes.quote(payer, order);
  }

  settledAtOnce({ paymentHash, paymentRequest, payee, expiresAt }: PaymentQuote): void {
    if (paymentHash === null || paymentRequest === null || expiresAt === null || !('nodeId' in payee)) return;
    void this.context.cancelOwnInvoice({ paymentHash, payeeNodeId: payee.nodeId, expiresAt: expiresAt.getTime() }, paymentRequest);
  }

  async send(payment: BegunPayment, quote: PaymentQuote, ageMs: () => number): Promise<PaymentEnd | undefined> {
    const { nodeId, paymentHash, paymentRequest } = quote;
    if (nodeId === null || paymentHash === null || paymentRequest === null) return undefined;
    return this.dispatcher.dispatch({ ...payment, nodeId, paymentHash, paymentRequest }, ageMs);
  }

  /** False until the node has answered for the first time: it may be another node than the one that sent a payment. */
  get isReady(): boolean {
    return this.lightning.nodeId !== '';
  }

  async status({ paymentHash, nodeId }: SentPayment): Promise<RailStatus> {
    if (!this.isReady) return { status: 'unknown' };
    return this.lightning.nodeId === nodeId ? this.lightning.lookupPayment(paymentHash) : { status: 'other_node' };
  }
}
