import { Injectable } from '@nestjs/common';
import { InvoiceService, type InvoiceRow } from '../../invoice/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { msatOfSats, satsCeil, type Msat } from '../../../platform/kernel/money.js';
import { centsCosting, msatOfBillNow } from '../../price/index.js';
import { AccountService, type Currency, type WalletRef } from '../../wallet/index.js';
import { FeeEstimates } from './fee-estimates.js';
import { refused, type FeeProbeOutcome } from '../payment.outcome.js';
import { LightningRail, type LightningOrder, type LightningQuote } from '../rails/lightning.js';
import type { RailPayer } from '../rails/rail.js';

/** Says what a payment of an invoice would cost. It holds and sends nothing, and refuses what the payment would be refused for. */
@Injectable()
export class FeeProbeService {
  constructor(
    private readonly rail: LightningRail,
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly estimates: FeeEstimates,
    private readonly clock: Clock,
  ) {}

  /** One statement, which finds out whether the invoice is Sluice's own, and at most one call to the node. */
  async probe(payer: RailPayer, order: LightningOrder, currency: Currency = 'BTC'): Promise<FeeProbeOutcome> {
    const quote = await this.rail.quote(payer, order);
    if (quote.kind === 'refused') return quote;
    const [wallet, own] = await Promise.all([this.accounts.findWallet(payer.walletId), this.invoices.findByHash(quote.paymentHash)]);
    if (own && own.paymentRequest !== quote.paymentRequest) return refused('text_mismatch');
    if (!own && quote.toNode) return refused('not_our_invoice');
    if (wallet?.currency !== currency) return refused('wrong_currency');
    if (own) return ofOwn(own, quote, wallet);
    return quote.expiresAt.getTime() <= this.clock.now() ? refused('expired') : this.ofRoute(quote, wallet);
  }

  private async ofRoute(quote: LightningQuote, { userId, currency }: WalletRef): Promise<FeeProbeOutcome> {
    const { paymentRequest, amountMsat, feeLimitMsat } = quote;
    const limit = feeOf(quote, feeLimitMsat, currency);
    const probe = await this.estimates.find({ paymentRequest, amountMsat, feeLimitMsat }, userId);
    if (probe.status === 'no_route') return { kind: 'no_route', limit };
    if (probe.status !== 'known') return { kind: 'known', fee: limit, limit };
    return { kind: 'known', fee: Math.min(feeOf(quote, probe.feeMsat, currency), limit), limit };
  }
}

/** An invoice that is paid costs nothing more: the payment says by whom it is paid. */
function ofOwn(own: InvoiceRow, { amountMsat, bid, ask }: LightningQuote, { accountId, currency }: WalletRef): FeeProbeOutcome {
  const { status, cancelled, leftMs, walletId: ownWalletId, dealerCentsPerBtc, amountCents } = own;
  if (cancelled) return refused('cancelled');
  if (status !== 'PAID' && leftMs <= 0) return refused('expired');
  if (status === 'PAID' || currency !== 'BTC' || dealerCentsPerBtc === null)
    return { kind: 'known', fee: 0, limit: 0, ownWalletId, ownCents: amountCents };
  const bill = { amountMsat: own.amountMsat, amountCents, dealerCentsPerBtc };
  const isOwn = own.accountId === accountId;
  const costMsat = msatOfBillNow(bill, isOwn, { bid, ask }, amountMsat);
  if (typeof costMsat === 'string') return refused(costMsat);
  const fee = costMsat > amountMsat ? satsCeil(costMsat - amountMsat) : 0;
  return { kind: 'known', fee, limit: fee, ownWalletId, billNow: { bill, isOwn, costMsat } };
}

/** The history shows the same: what is charged beside the amount, in whole satoshis or, from a wallet in dollars, in cents (`dealer_charge` in SQL). */
function feeOf({ amountMsat, amountCents, ask }: LightningQuote, feeMsat: Msat, currency: Currency): number {
  if (currency === 'BTC' || ask === null) return satsCeil(msatOfSats(satsCeil(amountMsat + feeMsat)) - amountMsat);
  const amount = amountCents ?? centsCosting(amountMsat, ask);
  const charged = centsCosting(amountMsat + feeMsat, ask);
  return charged > amount ? Number(charged - amount) : 0;
}
