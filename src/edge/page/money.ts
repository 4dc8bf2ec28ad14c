import { MSAT_PER_SAT, satsOfMsat, type Msat } from '../../platform/kernel/money.js';
import { attributes, html, type Html } from './html.js';

/** An amount on a page: millisatoshi of bitcoin, or US cents. Signed if it is a transfer. */
export type Money = { readonly currency: 'BTC'; readonly msat: Msat } | { readonly currency: 'USD'; readonly cents: bigint };

export const bitcoin = (msat: Msat): Money => ({ currency: 'BTC', msat });
export const dollars = (cents: bigint | number): Money => ({ currency: 'USD', cents: BigInt(cents) });

/** An amount in the currency that a person reads prices in: only ever beside another amount. */
export interface DisplayMoney {
  readonly currency: 'display';
  readonly code: string;
  /** A decimal number of its major unit, with all decimal places. */
  readonly decimal: string;
}

export type Worth = Money | DisplayMoney;

export const displayMoney = (code: string, decimal: string): DisplayMoney => ({ currency: 'display', code, decimal });

const MINUS = '\u2212';
const group = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

export const satsText = (sats: number | bigint): string => {
  const digits = group(String(sats).replace('-', ''));
  return `${sats < 0 ? MINUS : ''}${digits} ${digits === '1' ? 'sat' : 'sats'}`;
};

export function dollarText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? MINUS : ''}$${group(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

export const isZero = (money: Money): boolean => (money.currency === 'BTC' ? money.msat === 0n : money.cents === 0n);
const isNegative = (money: Money): boolean => (money.currency === 'BTC' ? money.msat < 0n : money.cents < 0n);

/** Whole sats, rounded down for a balance and up for a cost, or dollars and cents. */
export const moneyText = (money: Money): string => (money.currency === 'BTC' ? satsText(satsOfMsat(money.msat)) : dollarText(money.cents));

export const signedText = (money: Money): string => (isNegative(money) || isZero(money) ? '' : '+') + moneyText(money);

const machineValue = (money: Money): string => {
  if (money.currency === 'BTC') return String(satsOfMsat(money.msat));
  return moneyText(money).replace(MINUS, '-').replace(/[$,]/g, '');
};

/** An amount in a page's text: never broken over two lines, machine-readable in sats or dollars. */
export const money = (value: Money): Html => html`<data value="${machineValue(value)}">${moneyText(value)}</data>`;

/** The amount of a payment. Incoming money is green with a plus; a failed payment is struck through (and the row says so). */
export function signedMoney(value: Money, failed: boolean): Html {
  const look = failed ? 'off' : !isNegative(value) && !isZero(value) && 'in';
  return html`<data ${attributes({ value: machineValue(value), class: look })}>${signedText(value)}</data>`;
}

/** "€12.34", "¥1,234", "CA$12.34": no symbol stands for two currencies. */
function displayText({ code, decimal }: DisplayMoney): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // As text, because a number keeps fifteen digits only.
  return format.format(decimal as Intl.StringNumericLiteral).replace('-', MINUS);
}

const worthElement = (value: Worth): Html =>
  value.currency === 'display' ? html`<data value="${value.decimal}">${displayText(value)}</data>` : money(value);

/** The smallest amount of a currency where `value` is less than half of that, and is shown as nothing; else null. */
function smallestAbove(value: Worth): Worth | null {
  if (value.currency !== 'display') return value.currency === 'USD' && isZero(value) ? dollars(1) : null;
  return /[1-9]/.test(value.decimal) ? null : { ...value, decimal: value.decimal.replace(/0$/, '1') };
}

/** "about $725.23": what an amount that is not nothing is worth, at the current price (balances) or that of the time (history); "less than $0.01". */
export function about(value: Worth): Html {
  const smallest = smallestAbove(value);
  return smallest === null ? html`about ${worthElement(value)}` : html`less than ${worthElement(smallest)}`;
}

export function aboutFirst(value: Worth): Html {
  const smallest = smallestAbove(value);
  return smallest === null ? html`About ${worthElement(value)}` : html`Less than ${worthElement(smallest)}`;
}

/** "4,200 sats, about $2.57"; nothing is worth nothing in every currency. */
export const moneyAbout = (value: Money, worth: Worth | null): Html =>
  worth === null || isZero(value) ? money(value) : html`${money(value)}<span class="sub">, ${about(worth)}</span>`;

/** The row of a page for what the network takes. @param fee null: nothing */
export const networkFee = <T>(fee: T | null): [label: string, fee: T | string] => ['Network fee', fee ?? 'None'];

/** An exact fee, to a thousandth of a sat, for the page of one transaction: "0.512 sats". */
export function exactFeeText(msat: Msat): string {
  if (msat % MSAT_PER_SAT === 0n) return satsText(msat / MSAT_PER_SAT);
  const parts = String(msat % MSAT_PER_SAT)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${group(String(msat / MSAT_PER_SAT))}.${parts} sats`;
}
