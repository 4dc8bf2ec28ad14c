import type { Visitor } from '../../edge/auth/index.js';
import { msatOfSats, satsCeil, type Msat } from '../../platform/kernel/money.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { bitcoin, moneyText, type Form, type HtmlValue } from '../../edge/page/index.js';
import { PaymentService, REFUSALS, type PaymentOrder } from '../../money/payment/index.js';
import type { BillNow } from '../../money/price/index.js';
import { walletOf, type AccountFlow, type AccountRow } from '../../money/wallet/index.js';
import { PayerAccounts } from '../account/payer-accounts.js';
import { typedAmountIn } from '../activity/amount.js';
import { OrderPages, type Checked, type ReviewRequest, type TypedOrder } from '../order/order-pages.js';
import { SealedOrders, type Opened } from '../order/sealed-orders.js';
import { DashboardPages } from '../screen.js';
import { emptySendForm, PAYMENT, reviewPage, sendPage, textWithPayment, type ReviewModel, type SendModel } from './send.view.js';
import { NO_FEE, SendQuoteService, type Quote, type QuoteRefusal } from './send-quote.service.js';
import { SendTargetService, type SendFault, type SendTarget, type TypedSend } from './send-target.service.js';

interface SendOrder extends TypedOrder<TypedSend> {
  readonly target: SendTarget;
  readonly amountMsat: Msat;
  /** As the person has seen it: a confirmation costs no more. */
  readonly billNow?: BillNow | undefined;
}
type Fault = Omit<SendFault, 'kind'>;
type FormModel = Omit<SendModel, 'frame' | 'form'>;
type Model = Omit<ReviewModel, 'frame'>;

const DEARER = 'The price has changed: this costs more than you have seen. Check the new amount, and confirm again.';
const FLOWS: readonly AccountFlow[] = ['withdrawal', 'internal_send'];

@DashboardPages('/send')
export class SendController extends OrderPages<SendOrder, TypedSend, Fault, FormModel, Model> {
  protected readonly name = 'page send';
  protected readonly views = { kind: PAYMENT, empty: emptySendForm, form: sendPage, review: reviewPage };

  constructor(
    accounts: PayerAccounts,
    payments: PaymentService,
    orders: SealedOrders,
    private readonly targets: SendTargetService,
    private readonly quotes: SendQuoteService,
  ) {
    super(accounts, payments, orders);
  }

  protected async checked({ user }: Visitor, typed: TypedSend): Promise<Checked<Fault>> {
    if (Buffer.byteLength(typed.memo) > MEMO_BYTES)
      return { kind: 'fault', field: 'memo', text: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.` };
    const found = await this.targets.find({ userId: user.id }, typed);
    if (found.kind === 'fault') return found;
    const account = await this.accounts.getOfUser(user.id);
    const quote = await this.quotes.quote(account, found.target);
    if (quote.kind === 'refused') return { ...quote, kind: 'fault', field: 'to' };
    const { billNow } = quote;
    const order = { target: found.target, amountMsat: billNow?.costMsat ?? found.amountMsat, typed, billNow };
    const { feeLimitMsat } = quote.fee;
    const [needed, available] = [totalOf(order.amountMsat, feeLimitMsat), availableTo(account)];
    const field = fieldOfAmount(order.target);
    if (needed > available) return { kind: 'fault', field, text: shortfallText(needed, available, feeLimitMsat) };
    const beyond = await this.accounts.limitRefusal(account, quote.flow, { msat: order.amountMsat, cents: 0n });
    if (beyond !== null) return { kind: 'fault', field, text: beyond, flow: quote.flow };
    return { kind: 'ready', order: this.seal(user.id, order) };
  }

  protected typedIn(form: Form): TypedSend {
    return { ...typedAmountIn(form), to: form.text('to'), memo: form.text('memo') };
  }

  protected async formModel({ user }: Visitor, refusing?: AccountFlow): Promise<FormModel> {
    const account = await this.accounts.getOfUser(user.id);
    const flows = FLOWS.filter((flow) => flow !== refusing);
    return { limits: await this.accounts.left(account, flows), hasPrice: this.accounts.hasPrice };
  }

  protected async modelOf(account: AccountRow, order: Opened<SendOrder>, { sealed, refusal }: ReviewRequest): Promise<Model> {
    const { target, typed } = order;
    const quote = await this.quotes.quote(account, target);
    const { billNow } = quote.kind === 'quote' ? quote : order;
    const amountMsat = billNow?.costMsat ?? order.amountMsat;
    const isDearer = amountMsat > order.amountMsat;
    const fee = quote.kind === 'quote' ? quote.fee : NO_FEE;
    const left = availableTo(account) - totalOf(amountMsat, fee.feeLimitMsat);
    const problem = await this.problemOf(account, amountMsat, quote, left);
    return {
      order: billNow ? this.seal(account.userId, { target, amountMsat, typed, billNow }, order.id) : sealed,
      target,
      amountMsat,
      statedMsat: billNow?.bill.amountMsat ?? amountMsat,
      about: this.accounts.worth(amountMsat, 'BTC', account),
      totalAbout: this.accounts.worth(amountMsat + fee.feeLimitMsat, 'BTC', account),
      memo: typed.memo,
      leftMsat: left,
      isPossible: problem === null,
      error: refusal ?? problem ?? (isDearer ? DEARER : null),
      ...fee,
    };
  }

  protected sourceOf({ typed }: SendOrder): { currency: 'BTC'; memo: string } {
    return { currency: 'BTC', memo: typed.memo };
  }

  /** Only an invoice into dollars may cost more than before: an amount is fixed, and the fee limit is part of the payment. */
  protected isWorse({ billNow }: SendOrder): boolean {
    return billNow !== undefined && this.quotes.hasRisen(billNow);
  }

  protected paymentOf(_account: AccountRow, { target, amountMsat }: SendOrder): PaymentOrder {
    return target.kind === 'wallet'
      ? { recipientWalletId: target.walletId, amountSats: satsCeil(amountMsat) }
      : { paymentRequest: target.paymentRequest, amountSats: target.amountSats };
  }

  private async problemOf(account: AccountRow, amountMsat: Msat, quote: Quote | QuoteRefusal, leftMsat: Msat): Promise<HtmlValue> {
    if (quote.kind === 'refused') {
      const { text, paidBy } = quote;
      return paidBy === undefined ? text : textWithPayment(text, paidBy);
    }
    if (leftMsat < 0n) return REFUSALS.insufficient.page;
    return this.accounts.limitRefusal(account, quote.flow, { msat: amountMsat, cents: 0n });
  }
}

const fieldOfAmount = (target: SendTarget): SendFault['field'] =>
  target.kind === 'invoice' && target.address === null && target.amountSats === undefined ? 'to' : 'amount';

/** Whole satoshis are held. */
const totalOf = (amountMsat: Msat, feeLimitMsat: Msat): Msat => msatOfSats(satsCeil(amountMsat + feeLimitMsat));

function availableTo(account: AccountRow): Msat {
  const { posted, held } = walletOf(account, 'BTC');
  return posted - held;
}

function shortfallText(needed: Msat, available: Msat, feeLimitMsat: Msat): string {
  const fee = feeLimitMsat > 0n ? `, with a network fee of at most ${moneyText(bitcoin(feeLimitMsat))}` : '';
  return `You have ${moneyText(bitcoin(available))}. This needs ${moneyText(bitcoin(needed))}${fee}.`;
}
