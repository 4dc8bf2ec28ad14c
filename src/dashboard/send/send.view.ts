import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { SPEEDS, type PayoutSpeed } from '../../money/payment/index.js';
import {
  attributes,
  choice,
  csrfField,
  field,
  html,
  type Html,
  type ShellFrame,
  money,
  moneyAbout,
  moneyText,
  networkFee,
  notice,
  untrustedText,
  type HtmlValue,
  type Money,
  type Worth,
} from '../../edge/page/index.js';
import { limitLines, endedReview, orderPage, type OrderKind, type OrderModel } from '../order/order.view.js';
import { moneyOf, typedAmountField, type PriceState } from '../activity/amount.js';
import type { OrderForm } from '../order/order-pages.js';
import { dashboardPage } from '../layout.js';
import { paths, WALLET } from '../paths.js';
import type { SendFault, TypedSend, SendTarget } from './send-target.service.js';
import type { PayingWallet } from '../account/payer-accounts.js';
import { invoiceName, walletName } from '../activity/activity.view.js';
import type { Currency } from '../../money/wallet/index.js';

export interface ReviewModel extends OrderModel {
  readonly target: SendTarget;
  /** Of the wallet that pays: the amounts below are in its msat or cents. */
  readonly currency: Currency;
  readonly amount: bigint;
  /** What the invoice states, if the price of dollars makes it cost another amount. */
  readonly stated: bigint | null;
  readonly about: Worth | null;
  readonly totalAbout: Worth | null;
  /** The cost of the route now; as much as `feeLimit` if that is not known. */
  readonly fee: bigint;
  readonly feeLimit: bigint;
  readonly hasNoRoute: boolean;
  /** The least that stays available; shown if the payment is possible. */
  readonly left: bigint;
  readonly memo: string;
  /** Of a payment to a bitcoin address of the outside: each of them is an order. */
  readonly speeds: readonly SpeedChoice[];
}

export interface SpeedChoice {
  readonly speed: PayoutSpeed;
  readonly order: string;
  /** The most that it costs, beside the amount and with it. */
  readonly feeLimit: bigint;
  readonly total: bigint;
  readonly isPossible: boolean;
}

export const PAYMENT: OrderKind = {
  noun: 'payment',
  verb: 'Send',
  busy: 'Sending…',
  again: 'pay',
  done: 'sent',
  reviewOf: paths.reviewOf,
  changeOf: paths.changeSend,
};

const payeeOf = ({ target, frame }: ReviewModel): HtmlValue => {
  if (target.kind === 'address') return html`<code>${target.address}</code>`;
  if (target.kind === 'wallet') return html`${untrustedText(target.username)}@<wbr />${frame.host}`;
  return target.address === null ? invoiceName(target.paymentRequest) : untrustedText(target.address);
};

function feeOf({ fee, feeLimit, currency }: ReviewModel): HtmlValue {
  if (feeLimit === 0n) return null;
  const most = html`at most ${money(moneyOf(feeLimit, currency))}`;
  return fee < feeLimit ? html`about ${money(moneyOf(fee, currency))}, ${most}` : most;
}

/** The speed that is chosen is the one of the order. */
function speedChoices({ speeds, target, currency }: ReviewModel): Html {
  const chosen = target.kind === 'address' && target.speed;
  const most = (minor: bigint): Html => html`at most ${money(moneyOf(minor, currency))}`;
  const list = speeds.map(({ speed, order, feeLimit, total, isPossible }) => {
    const box = attributes({ type: 'radio', name: 'order', value: order, checked: speed === chosen, disabled: !isPossible });
    const cost = html`Fee ${most(feeLimit)}, in total ${most(total)}${!isPossible && ': more than your balance'}`;
    const { displayName, description } = SPEEDS[speed];
    return html`<label class="scope"
      ><input ${box} /><span><b>${displayName}</b><span class="sub">${description}. ${cost}.</span></span></label
    >`;
  });
  return html`<fieldset>
    <legend>Speed</legend>
    ${list}
  </fieldset>`;
}

const NO_ROUTE = notice(
  html`<p><b>No route was found just now.</b> You can try: if the payment fails, nothing is taken from your balance.</p>`,
);

export function reviewPage(model: ReviewModel): Html {
  const { currency, feeLimit, isPossible, memo, error, target, speeds } = model;
  const isChoice = speeds.length > 0;
  const inWallet = (minor: bigint): Money => moneyOf(minor, currency);
  const amount = inWallet(model.amount);
  return orderPage(model, PAYMENT, {
    amount: moneyText(amount),
    note: model.hasNoRoute && error === null && NO_ROUTE,
    list: [
      ['To', payeeOf(model)],
      target.kind !== 'wallet' && target.description !== null && ['Description', untrustedText(target.description, MEMO_BYTES)],
      ['Amount', moneyAbout(amount, model.about)],
      model.stated !== null && ['The invoice states', money(inWallet(model.stated))],
      !isChoice && networkFee(feeOf(model)),
      !isChoice && ['Total', html`${feeLimit > 0n && 'at most '}${moneyAbout(inWallet(model.amount + feeLimit), model.totalAbout)}`],
      isPossible && !isChoice && ['Balance afterwards', html`${money(inWallet(model.left))}${feeLimit > 0n && ' or more'}`],
      ['From', walletName(currency)],
      memo !== '' && ['Note', untrustedText(memo, MEMO_BYTES)],
      target.kind === 'invoice' && ['Invoice', html`<code>${target.paymentRequest}</code>`],
    ],
    promise: isChoice ? 'You will only be charged once. A bitcoin payment can’t be taken back.' : 'You will only be charged once.',
    choices: isChoice && speedChoices(model),
  });
}

export type SendForm = OrderForm<TypedSend, Omit<SendFault, 'kind'>>;

export interface SendModel extends PriceState {
  readonly frame: ShellFrame;
  readonly form: SendForm;
  readonly limits: readonly Html[];
  readonly wallets: readonly PayingWallet[];
  /** Bitcoin addresses can be paid. */
  readonly hasChain: boolean;
}

export const emptySendForm: TypedSend = { to: '', amount: '', unit: 'sats', memo: '', wallet: 'BTC' };

/** The balance, and the choice where there are two. */
function walletField(wallets: readonly PayingWallet[], value: string): HtmlValue {
  const hint = html`Balance: ${wallets.map(({ balance, about }, index) => html`${index > 0 && ' and '}${moneyAbout(balance, about)}`)}`;
  const options = wallets.map(({ currency }) => ({ value: currency, label: walletName(currency) }));
  return options.length > 1 ? choice({ name: 'wallet', label: 'From', hint, options, value }) : html`<p class="sub">${hint}</p>`;
}

/** A refusal, with a link to the payment that is the reason. */
export const textWithPayment = (text: Html | string, paidBy: string): Html =>
  html`${text} <a href="${paths.transaction(paidBy)}">View payment</a>`;

const faultText = ({ text, paidBy }: Omit<SendFault, 'kind'>): Html | string =>
  paidBy === undefined ? text : textWithPayment(text, paidBy);

function sendForm({ frame, form, limits, wallets, hasSource, hasPrice, hasChain }: SendModel): Html {
  const errorOf = (name: SendFault['field']): Html | string | undefined => (form.fault?.field === name ? faultText(form.fault) : undefined);
  const to = field({
    name: 'to',
    label: 'Recipient',
    hint: `A Lightning invoice, a username of this server, ${hasChain ? 'a Lightning address such as name@example.com, or a bitcoin address' : 'or a Lightning address such as name@example.com'}`,
    error: errorOf('to'),
    value: form.to,
    required: true,
    verbatim: true,
    autofocus: form.fault === undefined,
  });
  const amount = typedAmountField({
    label: 'Amount (leave empty if the invoice states it)',
    paid: 'Paid from your Bitcoin wallet',
    error: errorOf('amount'),
    typed: form,
    isChoice: wallets.length > 1,
    hasSource,
    hasPrice,
  });
  const memo = field({
    name: 'memo',
    label: 'Note (optional)',
    hint: 'For your history. If you pay a username, the recipient sees it too.',
    error: errorOf('memo'),
    value: form.memo,
    maxlength: MEMO_BYTES,
  });
  return html`<section class="card" aria-label="Payment">
    <form class="stack" method="post" action="${paths.send}">
      ${csrfField(frame.csrf)}${to}${walletField(wallets, form.wallet)}${limitLines(limits, form.fault?.flow)}${amount}${memo}
      <button data-busy="Checking…">Review payment</button>
    </form>
    <p class="sub">Nothing is sent yet: the next page shows the fee, and asks you to confirm.</p>
  </section>`;
}

export function sendPage(model: SendModel): Html {
  const { fault, ended } = model.form;
  const content = [ended && endedReview(ended, PAYMENT), sendForm(model)];
  return dashboardPage(model.frame, { title: 'Send', entry: 'wallet', back: WALLET, problems: [fault ?? false] }, content);
}
