import { MSAT_PER_SAT, satsCeil, satsOfMsat, type Msat } from '../kernel/money.js';
import { attributes, html, type Html } from './html.js';

/** An amount on a page: millisatoshi of bitcoin, or US cents. Signed if it is a transfer. */
export type Money = { readonly currency: 'BTC'; readonly msat: Msat } | { readonly currency: 'USD'; readonly cents: bigint };

export const bitcoin = (msat: Msat): Money => ({ currency: 'BTC', msat });
export const dollars = (cents: bigint | number): Money => ({ currency: 'USD', cents: BigInt(cents) });

const MINUS = '\u2212';
const group = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** "1,000 sats", "1 sat". */
export const satsText = (sats: number | bigint): string => {
  const digits = group(String(sats).replace('-', ''));
  return `${sats < 0 ? MINUS : ''}${digits} ${digits === '1' ? 'sat' : 'sats'}`;
};

/** "$12.34", "$0.05". */
export function dollarText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? MINUS : ''}$${group(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

export const isZero = (money: Money): boolean => (money.currency === 'BTC' ? money.msat === 0n : money.cents === 0n);
const isNegative = (money: Money): boolean => (money.currency === 'BTC' ? money.msat < 0n : money.cents < 0n);

/** Whole sats, rounded down for a balance and up for a cost, or dollars and cents. */
export const moneyText = (money: Money): string => (money.currency === 'BTC' ? satsText(satsOfMsat(money.msat)) : dollarText(money.cents));

/** The same with "+" for incoming money, for lists with both directions. */
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

/** "about $725.23": the other currency, at the current price (balances) or that of the time (history). */
export const about = (value: Money): Html => html`about ${money(value)}`;

/** A network fee in short form: whole sats, rounded up. */
export function feeText(msat: Msat): string {
  if (msat === 0n) return 'No fee';
  return msat < MSAT_PER_SAT ? 'less than 1 sat' : satsText(satsCeil(msat));
}

/** An exact fee, to a thousandth of a sat, for the page of one transaction: "0.512 sats". */
export function exactFeeText(msat: Msat): string {
  if (msat % MSAT_PER_SAT === 0n) return feeText(msat);
  const parts = String(msat % MSAT_PER_SAT)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${group(String(msat / MSAT_PER_SAT))}.${parts} sats`;
}
