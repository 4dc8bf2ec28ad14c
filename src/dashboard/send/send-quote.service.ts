import { Injectable } from '@nestjs/common';
import { msatOfSats, satsCeil, type Msat } from '../../platform/kernel/money.js';
import { decodeInvoice } from '../../money/lightning/index.js';
import { payeeOf, urlOfLnurl } from '../../money/lnurl/index.js';
import {
  FeeProbeService,
  OnChainRail,
  REFUSALS,
  type FeeProbeOutcome,
  type OnChainOrder,
  type PaymentOrder,
  type PaymentRefusal,
} from '../../money/payment/index.js';
import { centsCosting, DealerService, msatOfBillNow, type BillNow } from '../../money/price/index.js';
import { HistoryService, type TransactionRow } from '../../money/transaction/index.js';
import { walletOf, type AccountFlow, type AccountRow, type Currency } from '../../money/wallet/index.js';
import type { ReviewModel } from './send.view.js';
import type { FoundTarget } from './send-target.service.js';

type Fee = Pick<ReviewModel, 'fee' | 'feeLimit' | 'hasNoRoute'>;
type WantedPayment = Omit<FoundTarget, 'kind'>;
export interface Quote {
  readonly kind: 'quote';
  readonly fee: Fee;
  readonly flow: AccountFlow;
  /** What leaves the wallet beside the fee, in msat or cents. */
  readonly amount: bigint;
  /** The amount follows the price of the moment until the payment is confirmed. */
  readonly isMoving: boolean;
  /** Of an invoice into dollars of this server, that is paid from bitcoin. */
  readonly billNow?: BillNow;
}
export interface QuoteRefusal {
  readonly kind: 'refused';
  readonly text: string;
  /** The transaction by which the account has paid the invoice, or is paying it. */
  readonly paidBy?: string;
  /** Of the form; its recipient, where it is left out. */
  readonly field?: 'amount';
}

export const NO_FEE: Fee = { fee: 0n, feeLimit: 0n, hasNoRoute: false };

const AMOUNT_REFUSALS: ReadonlySet<PaymentRefusal> = new Set([
  'dust',
  'fee_above_amount',
  'insufficient',
  'amount_too_small',
  'out_of_range',
]);

const refused = (reason: keyof typeof REFUSALS): QuoteRefusal => ({ kind: 'refused', text: REFUSALS[reason].page });

@Injectable()
export class SendQuoteService {
  constructor(
    private readonly probes: FeeProbeService,
    private readonly history: HistoryService,
    private readonly dealer: DealerService,
    private readonly onChain: OnChainRail,
  ) {}

  get hasChain(): boolean {
    return this.onChain.isPresent;
  }

  async quote(account: AccountRow, wanted: WantedPayment, currency: Currency): Promise<Quote | QuoteRefusal> {
    const { target } = wanted;
    const amount = this.costOf(wanted, currency);
    if (amount === null) return refused('no_price');
    if (target.kind === 'wallet') return { kind: 'quote', fee: NO_FEE, flow: 'internal_send', amount, isMoving: false };
    if (target.kind === 'address') return this.quoteAddress(account, wanted, amount, currency);
    const before = await this.paidBefore(account, target.paymentRequest);
    if (before) return { kind: 'refused', text: paidText(before), paidBy: before.id };
    const payer = { userId: account.userId, walletId: walletOf(account, currency).id };
    const probe = await this.probes.probe(payer, { paymentRequest: target.paymentRequest, ...chosenIn(wanted) }, currency);
    if (probe.kind === 'refused') return refused(probe.reason);
    const isOfPrice = currency === 'USD' && wanted.amountCents === undefined;
    // What it costs is the amount, and there is no fee beside it.
    if (probe.kind === 'known' && probe.billNow) {
      const { billNow } = probe;
      return { kind: 'quote', fee: NO_FEE, flow: flowOf(probe, account), amount: billNow.costMsat, isMoving: true, billNow };
    }
    const ownCents = isOfPrice && probe.kind === 'known' ? probe.ownCents : undefined;
    const priced = { amount: ownCents ?? amount, isMoving: isOfPrice && ownCents == null };
    return { kind: 'quote', fee: feeOf(probe, currency), flow: flowOf(probe, account), ...priced };
  }

  private async quoteAddress(
    account: AccountRow,
    wanted: WantedPayment,
    amount: bigint,
    currency: Currency,
  ): Promise<Quote | QuoteRefusal> {
    const payer = { userId: account.userId, walletId: walletOf(account, currency).id };
    const quote = await this.onChain.quote(payer, { ...(orderOf(wanted) as OnChainOrder), currency });
    if (quote.kind === 'refused')
      return { ...refused(quote.reason), ...(AMOUNT_REFUSALS.has(quote.reason) && { field: 'amount' as const }) };
    const { recipientWalletId, amountMsat, feeLimitMsat, ask } = quote;
    if (recipientWalletId === payer.walletId) return { kind: 'refused', text: 'This bitcoin address is your own. Enter another one.' };
    if (recipientWalletId !== null)
      return { kind: 'quote', fee: NO_FEE, flow: flowTo(recipientWalletId, account), amount, isMoving: false };
    const feeLimit = currency === 'BTC' || ask === null ? feeLimitMsat : centsCosting(amountMsat + feeLimitMsat, ask) - amount;
    return { kind: 'quote', fee: { fee: feeLimit, feeLimit, hasNoRoute: false }, flow: 'withdrawal', amount, isMoving: false };
  }

  /** What leaves the wallet at the price of now, beside the fee; null without a price. */
  costOf({ amountMsat, amountCents }: WantedPayment, currency: Currency): bigint | null {
    if (currency === 'BTC') return amountMsat;
    const { ask } = this.dealer.rate;
    return ask === null ? null : amountCents === undefined ? centsCosting(amountMsat, ask) : BigInt(amountCents);
  }

  /** What a confirmation takes now of what was reviewed; null without a price, or if the payment is refused for it. */
  costNow(wanted: WantedPayment, currency: Currency, billNow: BillNow | undefined): bigint | null {
    if (!billNow) return this.costOf(wanted, currency);
    const now = msatOfBillNow(billNow.bill, billNow.isOwn, this.dealer.rate, billNow.costMsat);
    return typeof now === 'bigint' ? now : null;
  }

  /** An invoice is paid once: the confirmation of another payment would lead to the earlier one, as if it had been paid again. */
  private async paidBefore(account: AccountRow, paymentRequest: string): Promise<TransactionRow | undefined> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return undefined;
    const { paymentHash } = decoded.invoice;
    const found = await Promise.all(account.wallets.map(({ id }) => this.history.listByHash(id, paymentHash)));
    return found.flat().find(({ direction, status }) => direction === 'SEND' && status !== 'FAILURE');
  }
}

const paidText = ({ status }: TransactionRow): string =>
  status === 'PENDING' ? 'You are paying this invoice already.' : 'You have paid this invoice already.';

/** The amount as a payment takes it: that of an invoice is never chosen. */
const chosenIn = ({ target, amountMsat, amountCents }: WantedPayment): { amountSats?: number; amountCents?: number } => {
  if (target.kind === 'invoice' && target.isAmountChosen !== true) return {};
  return amountCents === undefined ? { amountSats: satsCeil(amountMsat) } : { amountCents };
};

const payeeName = (address: string | null): string | undefined => {
  const url = urlOfLnurl(address ?? '');
  return url && payeeOf(url);
};

export const orderOf = (wanted: WantedPayment): PaymentOrder => {
  const { target } = wanted;
  if (target.kind === 'address') return { address: target.address, speed: target.speed, ...chosenIn(wanted) };
  const payee =
    target.kind === 'wallet'
      ? { recipientWalletId: target.walletId }
      : { paymentRequest: target.paymentRequest, payee: payeeName(target.address) };
  return { ...payee, ...chosenIn(wanted) };
};

type Probe = Exclude<FeeProbeOutcome, { kind: 'refused' }>;

function feeOf(probe: Probe, currency: Currency): Fee {
  const minor = (amount: number): Msat => (currency === 'BTC' ? msatOfSats(amount) : BigInt(amount));
  const feeLimit = minor(probe.limit);
  return probe.kind === 'known' ? { fee: minor(probe.fee), feeLimit, hasNoRoute: false } : { fee: feeLimit, feeLimit, hasNoRoute: true };
}

function flowOf(probe: Probe, account: AccountRow): AccountFlow {
  return probe.kind !== 'known' || probe.ownWalletId === undefined ? 'withdrawal' : flowTo(probe.ownWalletId, account);
}

const flowTo = (walletId: string, account: AccountRow): AccountFlow =>
  account.wallets.some(({ id }) => id === walletId) ? 'convert' : 'internal_send';
