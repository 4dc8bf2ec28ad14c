import {
  amountField,
  csrfField,
  errorSummary,
  facts,
  headline,
  html,
  moneyAbout,
  notice,
  shellPage,
  type FormProblem,
  type Html,
  type Money,
  type ShellFrame,
  type Worth,
} from '../../edge/page/index.js';
import type { AccountFlow } from '../../money/wallet/index.js';
import type { TypedAmount } from '../activity/amount.js';
import { UNITS } from '../activity/amount.view.js';
import { limitLines, endedReview } from '../order/order.view.js';
import type { OrderForm } from '../order/order-pages.js';
import { paths } from '../paths.js';
import { CONVERSION } from './conversion.view.js';

export interface ConvertFault {
  readonly text: Html | string;
  /** The limit of the account that refuses; the text says what it leaves. */
  readonly flow?: AccountFlow;
}

export type ConvertForm = OrderForm<TypedAmount, ConvertFault>;

export interface ConvertModel {
  readonly frame: ShellFrame;
  readonly form: ConvertForm;
  readonly bitcoin: Money;
  readonly dollar: Money;
  readonly bitcoinAbout: Worth | null;
  readonly dollarAbout: Worth | null;
  readonly limits: readonly Html[];
  readonly hasPrice: boolean;
}

export const emptyConvertForm: TypedAmount = { amount: '', unit: 'sats' };

const REVIEW = 'Review conversion';
const NEXT = html`<p class="sub">Nothing is converted yet: the next page shows the price, and asks you to confirm.</p>`;
const WAITS = notice(html`<p><b>Converting waits for a price.</b> This server has no price of dollars now. Reload this page later.</p>`);

function convertForm({ frame, form, bitcoin, bitcoinAbout, dollar, dollarAbout, limits, hasPrice }: ConvertModel): Html {
  const amount = amountField({
    name: 'amount',
    label: 'Amount to convert',
    hint: 'Sats leave your Bitcoin wallet and become dollars. Dollars leave your US dollar wallet and become sats.',
    error: form.fault?.text,
    value: form.amount,
    units: UNITS,
    unit: form.unit,
    required: true,
    autofocus: hasPrice && form.fault === undefined,
  });
  return html`<section class="card" aria-label="Conversion">
    ${facts([
      ['Bitcoin wallet', moneyAbout(bitcoin, bitcoinAbout)],
      ['US dollar wallet', moneyAbout(dollar, dollarAbout)],
    ])}
    ${limitLines(limits, form.fault?.flow)} ${!hasPrice && WAITS}
    <form class="stack" method="post" action="${paths.convert}">
      ${csrfField(frame.csrf)}${amount}${hasPrice ? html`<button>${REVIEW}</button>` : html`<button disabled>${REVIEW}</button>`}
    </form>
    ${hasPrice && NEXT}
  </section>`;
}

export function convertPage(model: ConvertModel): Html {
  const { fault, ended } = model.form;
  const problems: readonly FormProblem[] = fault === undefined ? [] : [{ field: 'amount', text: fault.text }];
  const body = html`${headline({ title: 'Convert', back: { href: paths.wallet, label: 'Wallet' } })} ${errorSummary(problems)}
  ${ended && endedReview(ended, CONVERSION)} ${convertForm(model)}`;
  return shellPage(model.frame, { title: 'Convert', currentEntry: 'wallet', error: problems.length > 0, body });
}
