import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { msatOfSats, satsCeil, type Msat } from '../../kernel/money.js';
import { decodeInvoice, LightningNode, type Bolt11Invoice } from '../../lightning/index.js';
import { AccountService } from '../../wallet/index.js';
import { InvoiceCancelJob } from '../invoice-cancel.job.js';
import type { PaymentEnd, PaymentRefusal } from '../payment.outcome.js';
import { LightningDispatcher } from './lightning.dispatcher.js';
import type { BegunPayment, PaymentQuote, RailPayer, RailStatus, Refused, SendingRail, SentPayment } from './rail.js';

/** A BOLT 11 invoice. */
export interface LightningOrder {
  readonly paymentRequest: string;
  /** The payer's choice for an invoice that states no amount; undefined: the invoice states it. */
  readonly amountSats?: number | undefined;
}

/** A quote for an invoice, which has these fields. */
export interface LightningQuote extends PaymentQuote {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly expiresAt: Date;
}

const refused = (reason: PaymentRefusal): Refused => ({ kind: 'refused', reason });

/** Pays BOLT 11 invoices through the Lightning node. An invoice of Sluice's own is settled inside, and closed at the node. */
@Injectable()
export class LightningRail implements SendingRail<LightningOrder> {
  readonly name = 'lightning';

  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly lightning: LightningNode,
    private readonly dispatcher: LightningDispatcher,
    private readonly cancels: InvoiceCancelJob,
  ) {}

  async quote({ userId, walletId, memo }: RailPayer, { paymentRequest, amountSats }: LightningOrder): Promise<LightningQuote | Refused> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return refused('undecodable_invoice');
    const { invoice } = decoded;
    if (invoice.network !== this.config.network) return refused('wrong_network');
    const amountMsat = amountOf(invoice, amountSats);
    if (typeof amountMsat === 'string') return refused(amountMsat);
    const wallet = await this.accounts.findWallet(walletId);
    if (wallet?.userId !== userId) return refused('unknown_wallet');
    const toUs = invoice.payeeNodeId === this.lightning.nodeId;
    // Whose fee is not limited may cost more than is held.
    if (!toUs && !this.lightning.capabilities.has('fee_limit')) return refused('unsupported');
    return {
      kind: 'quote',
      accountId: wallet.accountId,
      recipientWalletId: null,
      paymentHash: invoice.paymentHash,
      paymentRequest: invoice.paymentRequest,
      payee: { nodeId: invoice.payeeNodeId },
      expiresAt: invoice.expiresAt,
      amountMsat,
      feeLimitMsat: this.feeLimitOf(amountMsat),
      memo: memo || invoice.description || null,
      nodeId: this.lightning.nodeId,
      toUs,
    };
  }

  settledAtOnce({ paymentHash, paymentRequest, payee, expiresAt }: PaymentQuote): void {
    if (paymentHash === null || paymentRequest === null || expiresAt === null || !('nodeId' in payee)) return;
    void this.cancels.cancel({ paymentHash, payeeNodeId: payee.nodeId, expiresAt: expiresAt.getTime() }, paymentRequest);
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

  /** The larger of a share of the amount and a fixed sum, in whole satoshis: held beside the amount, and passed to the node. */
  private feeLimitOf(amountMsat: Msat): Msat {
    const { feeLimitPpm, feeLimitMinSats } = this.config.payment;
    const share = (amountMsat * BigInt(feeLimitPpm)) / 1_000_000n;
    const wholeShare = msatOfSats(satsCeil(share));
    const least = msatOfSats(feeLimitMinSats);
    return wholeShare > least ? wholeShare : least;
  }
}

/** The amount of the payment, or why there is none. Who states an amount means an invoice without one. */
function amountOf({ amountMsat }: Bolt11Invoice, amountSats: number | undefined): Msat | 'no_amount' | 'has_amount' | 'invalid_amount' {
  if (amountSats === undefined) return amountMsat ?? 'no_amount';
  if (amountMsat !== null) return 'has_amount';
  return amountSats > 0 ? msatOfSats(amountSats) : 'invalid_amount';
}
