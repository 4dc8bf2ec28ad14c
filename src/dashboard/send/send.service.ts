import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../auth/index.js';
import type { Work } from '../../http/index.js';
import { msatOfSats, satsCeil, type Msat } from '../../kernel/money.js';
import { MEMO_BYTES } from '../../kernel/text.js';
import { bitcoin, moneyText, PageError, type HtmlValue } from '../../page/index.js';
import { PaymentService, type Payer, type PaymentOrder } from '../../payment/index.js';
import { walletOf, type AccountFlow, type AccountRow } from '../../wallet/index.js';
import { PayerAccounts } from '../account/payer-accounts.js';
import { refusalText } from '../account/payment-refusal.js';
import type { ReviewModel } from './review.view.js';
import { NO_FEE, SendQuoteService, type Quote, type QuoteRefusal } from './send-quote.service.js';
import { SendOrders, type SendOrder, type SendTarget, type TypedSend } from './send-orders.js';
import { SendTargetService, type SendFault } from './send-target.service.js';
import { textWithPayment, type SendModel } from './send.view.js';

export type Checked = { readonly kind: 'ready'; readonly order: string } | SendFault;
export type Reviewed =
  | { readonly kind: 'review'; readonly model: Omit<ReviewModel, 'frame'> }
  /** It has begun: the page of its transaction shows how it ended. */
  | { readonly kind: 'begun'; readonly transactionId: string }
  /** It was not confirmed in time: nothing was sent. */
  | { readonly kind: 'over'; readonly typed: TypedSend }
  /** It can't be read, or is not of this person. */
  | { readonly kind: 'unknown' };

const FLOWS: readonly AccountFlow[] = ['withdrawal', 'internal_send'];

/** Checks what a person wants to pay, shows what will happen, and pays it once. */
@Injectable()
export class SendPageService {
  constructor(
    private readonly accounts: PayerAccounts,
    private readonly targets: SendTargetService,
    private readonly payments: PaymentService,
    private readonly quotes: SendQuoteService,
    private readonly orders: SendOrders,
  ) {}

  async check({ user }: Visitor, typed: TypedSend): Promise<Checked> {
    if (Buffer.byteLength(typed.memo) > MEMO_BYTES)
      return { kind: 'fault', field: 'memo', text: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.` };
    const found = await this.targets.find({ userId: user.id }, typed);
    if (found.kind === 'fault') return found;
    const order = { target: found.target, amountMsat: found.amountMsat, typed };
    const account = await this.accounts.getOfUser(user.id);
    const quote = await this.quotes.quote(account, order.target);
    if (quote.kind === 'refused') return { ...quote, kind: 'fault', field: 'to' };
    const { feeLimitMsat } = quote.fee;
    const [needed, available] = [totalOf(order.amountMsat, feeLimitMsat), availableTo(account)];
    const field = fieldOfAmount(order.target);
    if (needed > available) return { kind: 'fault', field, text: shortfallText(needed, available, feeLimitMsat) };
    const beyond = await this.accounts.limitRefusal(account, quote.flow, { msat: order.amountMsat, cents: 0n });
    if (beyond !== null) return { kind: 'fault', field, text: beyond, flow: quote.flow };
    return { kind: 'ready', order: this.orders.seal(user.id, order) };
  }

  /** @param refusing the limit that an error of the form states already */
  async form({ user }: Visitor, refusing?: AccountFlow): Promise<Pick<SendModel, 'limits' | 'hasPrice'>> {
    const account = await this.accounts.getOfUser(user.id);
    const flows = FLOWS.filter((flow) => flow !== refusing);
    return { limits: await this.accounts.left(account, flows), hasPrice: this.accounts.hasPrice };
  }

  /** What was typed, for the form to show it again. */
  typedIn(visitor: Visitor, sealed: string): TypedSend | undefined {
    return this.orders.open(visitor.user.id, sealed)?.typed;
  }

  async review(visitor: Visitor, sealed: string, error: HtmlValue = null): Promise<Reviewed> {
    const order = this.orders.open(visitor.user.id, sealed);
    if (!order) return { kind: 'unknown' };
    const account = await this.accounts.getOfUser(visitor.user.id);
    const earlier = await this.payments.findEarlier(payerOf(visitor, account, order));
    if (earlier && 'transactionId' in earlier) return { kind: 'begun', transactionId: earlier.transactionId };
    if (order.isOver) return { kind: 'over', typed: order.typed };
    const quote = await this.quotes.quote(account, order.target);
    const { target, amountMsat, typed } = order;
    const fee = quote.kind === 'quote' ? quote.fee : NO_FEE;
    const left = availableTo(account) - totalOf(amountMsat, fee.feeLimitMsat);
    const problem = await this.problemOf(account, order, quote, left);
    const model = {
      order: sealed,
      target,
      amountMsat,
      about: this.accounts.worth(amountMsat, 'BTC', account),
      totalAbout: this.accounts.worth(amountMsat + fee.feeLimitMsat, 'BTC', account),
      memo: typed.memo,
      leftMsat: left,
      isPayable: problem === null,
      error: error ?? problem,
      ...fee,
    };
    return { kind: 'review', model };
  }

  /** Pays the order, or what an earlier confirmation of it has begun. */
  async confirm(visitor: Visitor, sealed: string, work: Work): Promise<Reviewed> {
    const order = this.orders.open(visitor.user.id, sealed);
    if (!order) return { kind: 'unknown' };
    if (order.isOver) return this.review(visitor, sealed);
    const account = await this.accounts.getOfUser(visitor.user.id);
    const payer = { ...payerOf(visitor, account, order), isGone: () => work.isGone };
    const start = await this.payments.begin(payer, paymentOf(order));
    const outcome = start.kind === 'begun' ? await work.waiting(start.end) : start;
    const refusal = await this.accounts.refusalIn(outcome, account);
    if (refusal !== undefined) return this.review(visitor, sealed, refusal);
    if (outcome.kind === 'already_paid') return this.review(visitor, sealed);
    // The history may not have it yet, or ever: the person looks again, and the same order pays once.
    if (outcome.kind === 'unconfirmed') throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
    return 'transactionId' in outcome ? { kind: 'begun', transactionId: outcome.transactionId } : { kind: 'unknown' };
  }

  /** Why the order would be refused now, as far as this server knows; null if it would not. */
  private async problemOf(account: AccountRow, { amountMsat }: SendOrder, quote: Quote | QuoteRefusal, leftMsat: Msat): Promise<HtmlValue> {
    if (quote.kind === 'refused') {
      const { text, paidBy } = quote;
      return paidBy === undefined ? text : textWithPayment(text, paidBy);
    }
    if (leftMsat < 0n) return refusalText('insufficient');
    return this.accounts.limitRefusal(account, quote.flow, { msat: amountMsat, cents: 0n });
  }
}

const paymentOf = ({ target, amountMsat }: SendOrder): PaymentOrder =>
  target.kind === 'wallet'
    ? { recipientWalletId: target.walletId, amountSats: satsCeil(amountMsat) }
    : { paymentRequest: target.paymentRequest, amountSats: target.amountSats };

/** Where the amount was stated: an invoice may have its own. */
const fieldOfAmount = (target: SendTarget): SendFault['field'] =>
  target.kind === 'invoice' && target.address === null && target.amountSats === undefined ? 'to' : 'amount';

/** What is held: whole satoshis. */
const totalOf = (amountMsat: Msat, feeLimitMsat: Msat): Msat => msatOfSats(satsCeil(amountMsat + feeLimitMsat));

function availableTo(account: AccountRow): Msat {
  const { posted, held } = walletOf(account, 'BTC');
  return posted - held;
}

function shortfallText(needed: Msat, available: Msat, feeLimitMsat: Msat): string {
  const fee = feeLimitMsat > 0n ? `, with a network fee of at most ${moneyText(bitcoin(feeLimitMsat))}` : '';
  return `You have ${moneyText(bitcoin(available))}. This needs ${moneyText(bitcoin(needed))}${fee}.`;
}

const payerOf = ({ principal, user }: Visitor, account: AccountRow, { id, typed }: SendOrder): Payer => ({
  userId: user.id,
  walletId: walletOf(account, 'BTC').id,
  memo: typed.memo,
  principal,
  attempt: `page send ${id}`,
});
