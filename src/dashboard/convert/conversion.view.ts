import { dollars, html, money, moneyAbout, moneyText, type Html, type HtmlValue, type Money, type Worth } from '../../edge/page/index.js';
import { orderPage, type OrderKind, type OrderModel } from '../order/order.view.js';
import { paths } from '../paths.js';

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
  again: 'convert',
  done: 'converted',
  reviewOf: paths.conversionOf,
  changeOf: paths.changeConversion,
};

const NAMES = { BTC: 'Bitcoin wallet', USD: 'US dollar wallet' } as const;
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
      ['You give', html`${moneyAbout(gives, model.givesAbout)}, from your ${NAMES[from]}`],
      ['You get', html`${money(gets)}, in your ${NAMES[from === 'BTC' ? 'USD' : 'BTC']}`],
      rateCents !== null && ['Price', html`${money(dollars(rateCents))} for one bitcoin`],
      rateCents !== null && ['Spread', spreadOf(model)],
      ['Fee', 'None'],
      isPossible && ['Balance afterwards', html`${money(left)} in your ${NAMES[from]}`],
    ],
    promise:
      'It is converted once, even if you press twice or reload this page. If you would get less when you confirm, you are asked again.',
  });
}
