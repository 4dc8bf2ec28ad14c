import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  csrfField,
  field,
  html,
  type Html,
  type ShellFrame,
  bitcoin,
  money,
  moneyAbout,
  moneyText,
  notice,
  untrustedText,
  type HtmlValue,
  type Worth,
} from '../../edge/page/index.js';
import { limitLines, endedReview, orderPage, type OrderKind, type OrderModel } from '../order/order.view.js';
import { bitcoinAmountField } from '../activity/amount.js';
import type { OrderForm } from '../order/order-pages.js';
import { dashboardPage } from '../layout.js';
import { paths, WALLET } from '../paths.js';
import type { SendFault, TypedSend, SendTarget } from './send-target.service.js';
import type { Msat } from '../../platform/kernel/money.js';

export interface ReviewModel extends OrderModel {
  readonly target: SendTarget;
  readonly amountMsat: Msat;
  /** What the invoice states, if the price of dollars makes it cost another amount. */
  readonly statedMsat: Msat;
  readonly about: Worth | null;
  readonly totalAbout: Worth | null;
  /** The cost of the route now; as much as `feeLimitMsat` if that is not known. */
  readonly feeMsat: Msat;
  readonly feeLimitMsat: Msat;
  readonly hasNoRoute: boolean;
  /** The least that stays available; shown if the payment is possible. */
  readonly leftMsat: Msat;
  readonly memo: string;
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
  if (target.kind === 'wallet') return html`${untrustedText(target.username)}@<wbr />${frame.host}`;
  return target.address === null ? 'The owner of the invoice' : untrustedText(target.address);
};

function feeOf({ feeMsat, feeLimitMsat }: ReviewModel): HtmlValue {
  if (feeLimitMsat === 0n) return 'None';
  const most = html`at most ${money(bitcoin(feeLimitMsat))}`;
  return feeMsat < feeLimitMsat ? html`about ${money(bitcoin(feeMsat))}, ${most}` : most;
}

const NO_ROUTE = notice(
  html`<p><b>No route was found just now.</b> You can try: if the payment fails, nothing is taken from your balance.</p>`,
);

export function reviewPage(model: ReviewModel): Html {
  const { amountMsat, feeLimitMsat, leftMsat, isPossible, memo, error, target } = model;
  const amount = bitcoin(amountMsat);
  return orderPage(model, PAYMENT, {
    amount: moneyText(amount),
    note: model.hasNoRoute && error === null && NO_ROUTE,
    list: [
      ['To', payeeOf(model)],
      target.kind === 'invoice' && target.description !== null && ['Description', untrustedText(target.description, MEMO_BYTES)],
      ['Amount', moneyAbout(amount, model.about)],
      model.statedMsat !== amountMsat && ['The invoice states', money(bitcoin(model.statedMsat))],
      ['Network fee', feeOf(model)],
      ['Total', html`${feeLimitMsat > 0n && 'at most '}${moneyAbout(bitcoin(amountMsat + feeLimitMsat), model.totalAbout)}`],
      isPossible && ['Balance afterwards', html`${money(bitcoin(leftMsat))}${feeLimitMsat > 0n && ' or more'}`],
      ['From', 'Bitcoin wallet'],
      memo !== '' && ['Note', untrustedText(memo, MEMO_BYTES)],
      target.kind === 'invoice' && ['Invoice', html`<code>${target.paymentRequest}</code>`],
    ],
    promise: 'It is sent once, even if you press twice or reload this page.',
  });
}

export type SendForm = OrderForm<TypedSend, Omit<SendFault, 'kind'>>;

export interface SendModel {
  readonly frame: ShellFrame;
  readonly form: SendForm;
  readonly limits: readonly Html[];
  readonly hasPrice: boolean;
}

export const emptySendForm: TypedSend = { to: '', amount: '', unit: 'sats', memo: '' };

/** A refusal, with a link to the payment that is the reason. */
export const textWithPayment = (text: Html | string, paidBy: string): Html =>
  html`${text} <a href="${paths.transaction(paidBy)}">See the payment</a>`;

const faultText = ({ text, paidBy }: Omit<SendFault, 'kind'>): Html | string =>
  paidBy === undefined ? text : textWithPayment(text, paidBy);

function sendForm({ frame, form, limits, hasPrice }: SendModel): Html {
  const errorOf = (name: SendFault['field']): Html | string | undefined => (form.fault?.field === name ? faultText(form.fault) : undefined);
  const to = field({
    name: 'to',
    label: 'Recipient',
    hint: 'A Lightning invoice, a username of this server, or a Lightning address such as name@example.com',
    error: errorOf('to'),
    value: form.to,
    required: true,
    verbatim: true,
    autofocus: form.fault === undefined,
  });
  const amount = bitcoinAmountField({
    label: 'Amount (if the invoice states none)',
    paid: 'Paid from your Bitcoin wallet',
    error: errorOf('amount'),
    typed: form,
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
    ${limitLines(limits, form.fault?.flow)}
    <form class="stack" method="post" action="${paths.send}">
      ${csrfField(frame.csrf)}${to}${amount}${memo}<button data-busy="Checking…">Review payment</button>
    </form>
    <p class="sub">Nothing is sent yet: the next page shows the fee, and asks you to confirm.</p>
  </section>`;
}

export function sendPage(model: SendModel): Html {
  const { fault, ended } = model.form;
  const content = [ended && endedReview(ended, PAYMENT), sendForm(model)];
  return dashboardPage(model.frame, { title: 'Send', entry: 'wallet', back: WALLET, problems: [fault ?? false] }, content);
}
