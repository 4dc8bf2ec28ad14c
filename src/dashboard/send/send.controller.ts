import type { Visitor } from '../../edge/auth/index.js';
import { msatOfSats, satsCeil } from '../../platform/kernel/money.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { bitcoin, moneyText, type Form, type HtmlValue } from '../../edge/page/index.js';
import { PAYOUT_SPEEDS, PaymentService, REFUSALS, type PaymentOrder, type PayoutSpeed } from '../../money/payment/index.js';
import type { BillNow } from '../../money/price/index.js';
import type { AccountFlow, AccountRow, Currency } from '../../money/wallet/index.js';
import { PayerAccounts } from '../account/payer-accounts.js';
import { availableIn, currencyIn, moneyOf, spentIn, typedAmountIn } from '../activity/amount.js';
import { OrderPages, type Checked, type ReviewRequest, type TypedOrder } from '../order/order-pages.js';
import { SealedOrders, type Opened } from '../order/sealed-orders.js';
import { DashboardPages } from '../screen.js';
import {
  emptySendForm,
  PAYMENT,
  reviewPage,
  sendPage,
  textWithPayment,
  type ReviewModel,
  type SendModel,
  type SpeedChoice,
} from './send.view.js';
import { NO_FEE, orderOf, SendQuoteService, type Quote, type QuoteRefusal } from './send-quote.service.js';
import { SendTargetService, type FoundTarget, type SendFault, type SendTarget, type TypedSend } from './send-target.service.js';

interface SendOrder extends TypedOrder<TypedSend>, Omit<FoundTarget, 'kind'> {
  /** The amount that the person has seen, where it follows the price: a confirmation pays no more. */
  readonly seen?: bigint | undefined;
  readonly billNow?: BillNow | undefined;
  /** The most that a payment to a bitcoin address costs beside the amount, as the person has seen it. */
  readonly seenFee?: bigint;
}
type Fault = Omit<SendFault, 'kind'>;
type FormModel = Omit<SendModel, 'frame' | 'form'>;
type Model = Omit<ReviewModel, 'frame'>;

const DEARER = 'The price has changed: this costs more than you have seen. Check the new amount, and confirm again.';
const DEARER_FEE = 'The network fee has risen: this costs more than you have seen. Check the new fee, and confirm again.';
const FLOWS: readonly AccountFlow[] = ['withdrawal', 'internal_send'];

@DashboardPages('/send')
export class SendController extends OrderPages<SendOrder, TypedSend, Fault, FormModel, Model> {
  protected readonly name = 'page send from a wallet';
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
    const quote = await this.quotes.quote(account, found, typed.wallet);
    if (quote.kind === 'refused') return { field: 'to', ...quote, kind: 'fault' };
    const [needed, available] = [totalOf(quote, typed.wallet), availableIn(account, typed.wallet)];
    const field = fieldOfAmount(found.target);
    if (needed > available) return { kind: 'fault', field, text: shortfallText(needed, available, quote.fee.feeLimit, typed.wallet) };
    const beyond = await this.accounts.limitRefusal(account, quote.flow, spentIn(typed.wallet, quote.amount));
    if (beyond !== null) return { kind: 'fault', field, text: beyond, flow: quote.flow };
    const target = withSpeed(found.target, 'MEDIUM');
    return { kind: 'ready', order: this.seal(user.id, { ...found, target, typed, seen: seenIn(quote), billNow: quote.billNow }) };
  }

  protected typedIn(form: Form): TypedSend {
    return { ...typedAmountIn(form), to: form.text('to'), memo: form.text('memo'), wallet: currencyIn(form) };
  }

  protected async formModel({ user }: Visitor, refusing?: AccountFlow): Promise<FormModel> {
    const account = await this.accounts.getOfUser(user.id);
    const flows = FLOWS.filter((flow) => flow !== refusing);
    const { hasSource, hasPrice } = this.accounts;
    return {
      limits: await this.accounts.left(account, flows),
      wallets: this.accounts.wallets(account),
      hasSource,
      hasPrice,
      hasChain: this.quotes.hasChain,
    };
  }

  protected async modelOf(account: AccountRow, order: Opened<SendOrder>, { sealed, refusal }: ReviewRequest): Promise<Model> {
    const { id, amountMsat, amountCents, typed } = order;
    const { memo, wallet: currency } = typed;
    const speeds = await this.speedsOf(account, order);
    const possible = speeds.filter(({ isPossible }) => isPossible);
    const chosen = possible.find(({ speed }) => order.target.kind === 'address' && speed === order.target.speed) ?? possible.at(-1);
    const target = chosen ? withSpeed(order.target, chosen.speed) : order.target;
    const quote = await this.quotes.quote(account, { ...order, target }, currency);
    const { fee, billNow, ...priced }: Priced =
      quote.kind === 'quote' ? quote : { fee: NO_FEE, amount: order.seen ?? amountMsat, isMoving: false };
    const left = availableIn(account, currency) - totalOf({ fee, ...priced }, currency);
    const problem = await this.problemOf(account, quote, left, currency);
    const stated = billNow?.bill.amountMsat ?? priced.amount;
    const inSats = currency === 'USD' ? bitcoin(amountMsat) : null;
    return {
      // A price that has moved is shown, so that the next confirmation is of what was seen.
      order: priced.isMoving
        ? this.seal(account.userId, { target, amountMsat, amountCents, typed, seen: priced.amount, billNow }, id)
        : sealed,
      target,
      currency,
      amount: priced.amount,
      stated: stated === priced.amount ? null : stated,
      about: inSats ?? this.accounts.worth(priced.amount, currency, account),
      totalAbout: inSats === null ? this.accounts.worth(priced.amount + fee.feeLimit, currency, account) : null,
      memo,
      left,
      isPossible: problem === null,
      error: problem ?? refusal ?? ((await this.isWorse(order, account)) ? (target.kind === 'address' ? DEARER_FEE : DEARER) : null),
      speeds: problem === null ? speeds : [],
      ...fee,
    };
  }

  protected sourceOf({ typed }: SendOrder): { currency: Currency; memo: string } {
    return { currency: typed.wallet, memo: typed.memo };
  }

  protected async isWorse(order: SendOrder, account: AccountRow): Promise<boolean> {
    if (order.target.kind === 'address') {
      const quote = await this.quotes.quote(account, order, order.typed.wallet);
      return order.seenFee !== undefined && quote.kind === 'quote' && quote.fee.feeLimit > order.seenFee;
    }
    const now = this.quotes.costNow(order, order.typed.wallet, order.billNow);
    return order.seen !== undefined && now !== null && now > order.seen;
  }

  protected paymentOf(_account: AccountRow, order: SendOrder): PaymentOrder {
    return orderOf(order);
  }

  /** The speeds of a payment to a bitcoin address of the outside; none of another payment. All are one attempt. */
  private async speedsOf(account: AccountRow, order: Opened<SendOrder>): Promise<SpeedChoice[]> {
    const { id, target, amountMsat, amountCents, typed } = order;
    if (target.kind !== 'address') return [];
    const found = PAYOUT_SPEEDS.map(async (speed): Promise<SpeedChoice[]> => {
      const to = withSpeed(target, speed);
      const quote = await this.quotes.quote(account, { target: to, amountMsat, amountCents }, typed.wallet);
      if (quote.kind === 'refused' || quote.flow !== 'withdrawal') return [];
      const { feeLimit } = quote.fee;
      const total = totalOf(quote, typed.wallet);
      const sealed = this.seal(account.userId, { target: to, amountMsat, amountCents, typed, seenFee: feeLimit }, id);
      return [{ speed, order: sealed, feeLimit, total, isPossible: total <= availableIn(account, typed.wallet) }];
    });
    return (await Promise.all(found)).flat();
  }

  private async problemOf(account: AccountRow, quote: Quote | QuoteRefusal, left: bigint, currency: Currency): Promise<HtmlValue> {
    if (quote.kind === 'refused') {
      const { text, paidBy } = quote;
      return paidBy === undefined ? text : textWithPayment(text, paidBy);
    }
    if (left < 0n) return REFUSALS.insufficient.page;
    return this.accounts.limitRefusal(account, quote.flow, spentIn(currency, quote.amount));
  }
}

const withSpeed = (target: SendTarget, speed: PayoutSpeed): SendTarget => (target.kind === 'address' ? { ...target, speed } : target);

type Priced = Pick<Quote, 'amount' | 'fee' | 'isMoving' | 'billNow'>;

const seenIn = ({ amount, isMoving }: Priced): bigint | undefined => (isMoving ? amount : undefined);

const fieldOfAmount = (target: SendTarget): SendFault['field'] =>
  target.kind === 'invoice' && target.address === null && target.isAmountChosen !== true ? 'to' : 'amount';

/** Whole satoshis are held. */
const totalOf = ({ amount, fee: { feeLimit } }: Priced, currency: Currency): bigint =>
  currency === 'BTC' ? msatOfSats(satsCeil(amount + feeLimit)) : amount + feeLimit;

function shortfallText(needed: bigint, available: bigint, feeLimit: bigint, currency: Currency): string {
  const textOf = (minor: bigint): string => moneyText(moneyOf(minor, currency));
  return `You have ${textOf(available)}. This needs ${textOf(needed)}${feeLimit > 0n ? `, with a network fee of at most ${textOf(feeLimit)}` : ''}.`;
}
