import {
  alert,
  buttonLink,
  csrfField,
  dollars,
  facts,
  headline,
  html,
  money,
  moneyAbout,
  moneyText,
  shellPage,
  type Html,
  type HtmlValue,
  type Money,
  type ShellFrame,
  type Worth,
} from '../../page/index.js';
import { paths } from '../paths.js';

export interface ConversionModel {
  readonly frame: ShellFrame;
  /** Sealed, with the amounts that this page shows. */
  readonly order: string;
  /** The currency of the wallet that pays. */
  readonly from: 'BTC' | 'USD';
  readonly gives: Money;
  readonly gets: Money;
  /** What `gives` is worth now in the display currency, if that is none of the two; null without a price. */
  readonly givesAbout: Worth | null;
  /** Of the exchange, in cents for one bitcoin; null without a price. */
  readonly rateCents: bigint | null;
  /** Without the spread. */
  readonly marketCents: bigint | null;
  /** What stays in the wallet that pays; shown if it is possible. */
  readonly left: Money;
  /** This server knows nothing that would refuse it. */
  readonly isPossible: boolean;
  /** Why it can't be converted, or was not, as a sentence. */
  readonly error: HtmlValue;
}

const NAMES = { BTC: 'Bitcoin wallet', USD: 'US dollar wallet' } as const;
const HUNDREDTHS = 10_000n;

/** "0.20 %" */
function percentOf(part: bigint, whole: bigint): string {
  const digits = String((part * HUNDREDTHS + whole / 2n) / whole).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} %`;
}

/** What the price of the exchange differs from the market's. */
function spreadOf({ from, rateCents, marketCents }: ConversionModel): HtmlValue {
  if (rateCents === null || marketCents === null) return null;
  const cents = from === 'BTC' ? marketCents - rateCents : rateCents - marketCents;
  if (cents <= 0n) return 'None';
  return html`${percentOf(cents, marketCents)}: ${money(dollars(cents))} ${from === 'BTC' ? 'below' : 'above'} the market price of
  ${money(dollars(marketCents))}`;
}

function confirmForm({ frame, order, gives }: ConversionModel): Html {
  return html`<form class="tight" method="post" action="${paths.conversionOf(order)}">
    ${csrfField(frame.csrf)}<input type="hidden" name="order" value="${order}" />
    <p class="line"><button>Convert ${moneyText(gives)}</button>${buttonLink(paths.changeConversion(order), 'Change', 'quiet')}</p>
    <p class="sub">
      It is converted once, even if you press twice or reload this page. If you would get less when you confirm, you are asked again.
    </p>
  </form>`;
}

/** `/dashboard/convert/review`: what exactly will happen. */
export function conversionPage(model: ConversionModel): Html {
  const { frame, order, from, gives, gets, rateCents, left, isPossible, error } = model;
  const list = facts([
    ['You give', html`${moneyAbout(gives, model.givesAbout)}, from your ${NAMES[from]}`],
    ['You get', html`${money(gets)}, in your ${NAMES[from === 'BTC' ? 'USD' : 'BTC']}`],
    rateCents !== null && ['Price', html`${money(dollars(rateCents))} for one bitcoin`],
    rateCents !== null && ['Spread', spreadOf(model)],
    ['Fee', 'None'],
    isPossible && ['Balance afterwards', html`${money(left)} in your ${NAMES[from]}`],
  ]);
  const change = html`<p>${buttonLink(paths.changeConversion(order), 'Change conversion')}</p>`;
  const body = html`${headline({ title: `Convert ${moneyText(gives)}?`, back: { href: paths.changeConversion(order), label: 'Convert' } })}
    ${error !== null && alert('Nothing was converted', html`<p>${error}</p>`)}
    <section class="card" aria-label="Conversion">${list} ${isPossible ? confirmForm(model) : change}</section>`;
  return shellPage(frame, { title: 'Review conversion', currentEntry: 'wallet', error: error !== null, body });
}
