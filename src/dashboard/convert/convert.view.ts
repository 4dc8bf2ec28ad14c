import {
  amountField,
  csrfField,
  facts,
  html,
  moneyAbout,
  notice,
  type Html,
  type Money,
  type ShellFrame,
  type Worth,
  dollars,
  money,
  moneyText,
  type HtmlValue,
} from '../../edge/page/index.js';
import type { AccountFlow } from '../../money/wallet/index.js';
import { walletName } from '../activity/activity.view.js';
import { type TypedAmount, UNITS } from '../activity/amount.js';
import { limitLines, endedReview, orderPage, type OrderKind, type OrderModel } from '../order/order.view.js';
import type { OrderForm } from '../order/order-pages.js';
import { dashboardPage } from '../layout.js';
import { paths, WALLET } from '../paths.js';

/** The sealed order has the amounts that the page shows. */
export interface ConversionModel extends OrderModel {
  readonly from: 'BTC' | 'USD';
  readonly gives: Money;
  readonly gets: Money;
  readonly givesAbout: Worth | null;
  readonly rateCents: bigint | null;
  readonly marketCents: bigint | null;
  readonly left: Money;
}

export const CONVERSION: OrderKind = {
  noun: 'conversion',
  verb: 'Convert',
  busy: 'Converting…',
  again: 'convert',
  done: 'converted',
  reviewOf: paths.conversionOf,
  changeOf: paths.changeConversion,
};

const HUNDREDTHS = 10_000n;

function percentOf(part: bigint, whole: bigint): string {
  const digits = String((part * HUNDREDTHS + whole / 2n) / whole).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} %`;
}

function spreadOf({ from, rateCents, marketCents }: ConversionModel): HtmlValue {
  if (rateCents === null || marketCents === null) return null;
  const cents = from === 'BTC' ? marketCents - rateCents : rateCents - marketCents;
  if (cents <= 0n) return 'None';
  return html`${percentOf(cents, marketCents)}: ${money(dollars(cents))} ${from === 'BTC' ? 'below' : 'above'} the market price of
  ${money(dollars(marketCents))}`;
}

export function conversionPage(model: ConversionModel): Html {
  const { from, gives, gets, rateCents, left, isPossible } = model;
  return orderPage(model, CONVERSION, {
    amount: moneyText(gives),
    list: [
      ['You give', html`${moneyAbout(gives, model.givesAbout)}, from your ${walletName(from)}`],
      ['You get', html`${money(gets)}, in your ${walletName(from === 'BTC' ? 'USD' : 'BTC')}`],
      rateCents !== null && ['Price', html`${money(dollars(rateCents))} for one bitcoin`],
      rateCents !== null && ['Spread', spreadOf(model)],
      ['Fee', 'None'],
      isPossible && ['Balance afterwards', html`${money(left)} in your ${walletName(from)}`],
    ],
    promise: 'It is converted once. If you would get less when you confirm, you are asked again.',
  });
}

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
const WAITS = notice(html`<p><b>Conversion is unavailable:</b> this server has no exchange rate.</p>`);

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
  const problems = [fault !== undefined && { field: 'amount', text: fault.text }];
  const content = [ended && endedReview(ended, CONVERSION), convertForm(model)];
  return dashboardPage(model.frame, { title: 'Convert', entry: 'wallet', back: WALLET, problems }, content);
}
