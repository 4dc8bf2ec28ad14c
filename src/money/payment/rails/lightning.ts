import { Injectable } from '@nestjs/common';
import { LightningNode, decodeInvoice, type Bolt11Invoice } from '../../lightning/index.js';
import { refused, type PaymentEnd, type Refused } from '../payment.outcome.js';
import { LightningDispatcher } from './lightning.dispatcher.js';
import { InvoiceCancelJob } from './invoice-cancel.job.js';
import {
  chosenMsat,
  type BegunPayment,
  type ChosenAmount,
  type PaymentQuote,
  type RailPayer,
  type RailStatus,
  type SendingRail,
  type SentPayment,
} from './rail.js';
import { Config } from '../../../platform/config/index.js';
import { msatOfSats, satsCeil, type Msat } from '../../../platform/kernel/money.js';
import { DealerService, type DealerRate } from '../../price/index.js';
import { AccountService, type Currency } from '../../wallet/index.js';
import type { PaymentRefusal } from '../payment.refusals.js';
import { PaymentSettings } from '../payment.settings.js';

export interface LightningOrder extends ChosenAmount {
  readonly paymentRequest: string;
  /** Where the invoice comes from: a Lightning address, or the host of an LNURL. */
  readonly payee?: string | undefined;
}

export interface LightningQuote extends PaymentQuote {
  readonly payee: { readonly nodeId: string };
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly expiresAt: Date;
  readonly nodeId: string;
}

@Injectable()
export class LightningQuotes {
  constructor(
    private readonly config: Config,
    private readonly settings: PaymentSettings,
    private readonly accounts: AccountService,
    private readonly lightning: LightningNode,
    private readonly dealer: DealerService,
  ) {}

  async quote({ userId, walletId, memo }: RailPayer, order: LightningOrder): Promise<LightningQuote | Refused> {
    const decoded = decodeInvoice(order.paymentRequest);
    if (!decoded.ok) return refused('undecodable_invoice');
    const { invoice } = decoded;
    if (invoice.network !== this.config.network) return refused('wrong_network');
    const { rate } = this.dealer;
    const amountMsat = amountOf(invoice, order, rate);
    if (typeof amountMsat === 'string') return refused(amountMsat);
    const wallet = await this.accounts.findWallet(walletId);
    if (wallet?.userId !== userId) return refused('unknown_wallet');
    if (!isIn(wallet.currency, order)) return refused('wrong_currency');
    if (wallet.currency === 'USD' && rate.ask === null) return refused('no_price');
    const toNode = invoice.payeeNodeId === this.lightning.nodeId;
    // Without a fee limit, a payment may cost more than is held.
    if (!toNode && !this.lightning.capabilities.has('fee_limit')) return refused('unsupported');
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
      toNode,
      amountCents: order.amountCents === undefined ? null : BigInt(order.amountCents),
      bid: rate.bid ?? 0n,
      ask: rate.ask ?? 0n,
    };
  }

  /** The larger of a share of the amount and a fixed sum, in whole satoshis: held beside the amount, and passed to the node. */
  private feeLimitOf(amountMsat: Msat): Msat {
    const { FEE_LIMIT_PPM: feeLimitPpm, FEE_LIMIT_MIN_SATS: feeLimitMinSats } = this.settings;
    const share = (amountMsat * BigInt(feeLimitPpm)) / 1_000_000n;
    const wholeShare = msatOfSats(satsCeil(share));
    const least = msatOfSats(feeLimitMinSats);
    return wholeShare > least ? wholeShare : least;
  }
}

/** A chosen amount has to be in the wallet's currency. */
const isIn = (currency: Currency, { amountSats, amountCents }: LightningOrder): boolean =>
  currency === 'BTC' ? amountCents === undefined : amountSats === undefined;

function amountOf({ amountMsat }: Bolt11Invoice, order: LightningOrder, { ask }: DealerRate): Msat | PaymentRefusal {
  if (order.amountSats === undefined && order.amountCents === undefined) return amountMsat ?? 'no_amount';
  return amountMsat === null ? chosenMsat(order, ask) : 'has_amount';
}

/** Pays BOLT 11 invoices through the Lightning node. An invoice of Sluice's own is settled inside, and closed at the node. */
@Injectable()
export class LightningRail implements SendingRail<LightningOrder, LightningQuote> {
  readonly name = 'lightning';

  constructor(
    private readonly quotes: LightningQuotes,
    private readonly lightning: LightningNode,
    private readonly dispatcher: LightningDispatcher,
    private readonly cancels: InvoiceCancelJob,
  ) {}

  quote(payer: RailPayer, order: LightningOrder): Promise<LightningQuote | Refused> {
    return this.quotes.quote(payer, order);
  }

  settledAtOnce({ paymentHash, paymentRequest, payee, expiresAt }: LightningQuote): void {
    void this.cancels.cancel({ paymentHash, payeeNodeId: payee.nodeId, expiresAt: expiresAt.getTime() }, paymentRequest);
  }

  send(payment: BegunPayment, quote: LightningQuote, ageMs: () => number): Promise<PaymentEnd | undefined> {
    return this.dispatcher.dispatch({ ...quote, ...payment }, ageMs);
  }

  /** False until the node has answered for the first time: it may be another node than the one that sent a payment. */
  get isReady(): boolean {
    return this.lightning.nodeId !== '';
  }

  async status({ paymentHash, nodeId, isSenderGone = false }: SentPayment): Promise<RailStatus> {
    if (!this.isReady) return { status: 'unknown' };
    if (this.lightning.nodeId !== nodeId) return { status: 'other_node' };
    const isAnew = isSenderGone && this.lightning.capabilities.has('delivery_proof');
    return { ...(await this.lightning[isAnew ? 'lookupPaymentAnew' : 'lookupPayment'](paymentHash)), isAnew };
  }
}
