import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  csrfField,
  errorSummary,
  field,
  headline,
  html,
  shellPage,
  type FormProblem,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { limitLines, endedReview } from '../order/order.view.js';
import { bitcoinAmountField } from '../activity/amount.view.js';
import type { OrderForm } from '../order/order-pages.js';
import { paths } from '../paths.js';
import { PAYMENT } from './review.view.js';
import type { SendFault, TypedSend } from './send-target.service.js';

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
    autocomplete: 'off',
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
    autocomplete: 'off',
    maxlength: MEMO_BYTES,
  });
  return html`<section class="card" aria-label="Payment">
    ${limitLines(limits, form.fault?.flow)}
    <form class="stack" method="post" action="${paths.send}">
      ${csrfField(frame.csrf)}${to}${amount}${memo}<button>Review payment</button>
    </form>
    <p class="sub">Nothing is sent yet: the next page shows the fee, and asks you to confirm.</p>
  </section>`;
}

export function sendPage(model: SendModel): Html {
  const { fault, ended } = model.form;
  const problems: readonly FormProblem[] = fault ? [fault] : [];
  const body = html`${headline({ title: 'Send', back: { href: paths.wallet, label: 'Wallet' } })} ${errorSummary(problems)}
  ${ended && endedReview(ended, PAYMENT)} ${sendForm(model)}`;
  return shellPage(model.frame, { title: 'Send', currentEntry: 'wallet', error: problems.length > 0, body });
}
