import { MAX_SATS, MSAT_PER_SAT, msatOfSats, SATS_PER_BTC } from '../../platform/kernel/money.js';
import {
  amountUpTo,
  bitcoin,
  displayMoney,
  dollars,
  readAmount,
  type AmountBound,
  type Money,
  type Worth,
  amountField,
  type Amount,
  type Form,
  type Html,
  type Option,
} from '../../edge/page/index.js';
import { centsCosting, displayAmountOf, msatOfCents, type PriceQuote } from '../../money/price/index.js';
import { displayOf, type TransactionRow } from '../../money/transaction/index.js';
import { walletOf, type AccountRow, type AccountSpent, type Currency } from '../../money/wallet/index.js';

export const moneyOf = (minor: bigint, currency: TransactionRow['currency']): Money =>
  currency === 'BTC' ? bitcoin(minor) : dollars(minor);

/** Whether there is money in the US dollar wallet. Pages leave an empty one out. */
export function hasDollars(account: AccountRow): boolean {
  const { posted, held } = walletOf(account, 'USD');
  return posted !== 0n || held !== 0n;
}

/** What can be paid from a wallet, in msat or cents. */
export function availableIn(account: AccountRow, currency: Currency): bigint {
  const { posted, held } = walletOf(account, currency);
  return posted - held;
}

/** An amount that leaves a wallet, in its msat or cents, as the limits of accounts count it. */
export const spentIn = (currency: Currency, minor: bigint): AccountSpent =>
  currency === 'BTC' ? { msat: minor, cents: 0n } : { msat: 0n, cents: minor };

/**
 * The amount that a page shows, signed. While a payment is pending, its row also holds the fee limit, which is not paid yet, and was
 * rounded up to whole sats: both are subtracted.
 */
export function shownAmount({ amount, fee, status, currency }: TransactionRow): bigint {
  if (status !== 'PENDING' || currency !== 'BTC') return amount;
  const withoutFee = amount + fee;
  return withoutFee - (withoutFee % MSAT_PER_SAT);
}

/**
 * An amount's worth now, for beside it: in the person's display currency, or, for dollars of a person who reads dollars, in bitcoin.
 * Null without a price.
 */
export function worthNow(
  minor: bigint,
  currency: TransactionRow['currency'],
  { displayCurrency }: Pick<AccountRow, 'displayCurrency'>,
  quote: PriceQuote | undefined,
): Worth | null {
  if (!quote) return null;
  const { currency: code, text } = displayAmountOf(minor, currency, displayCurrency, quote);
  return currency === code ? bitcoin(msatOfCents(minor, quote.centsPerBtc)) : displayMoney(code, text);
}

/** The same of an amount of the history, as it was frozen: older amounts keep the currency and the price of their time. */
export function worthThen(minor: bigint, row: TransactionRow): Worth | null {
  const { currency: code, textOf } = displayOf(row);
  if (code !== row.currency) return displayMoney(code, textOf(minor));
  return row.currency === 'USD' && row.centsPerBtc !== null ? bitcoin(msatOfCents(minor, row.centsPerBtc)) : null;
}

export interface TypedAmount {
  readonly amount: string;
  readonly unit: 'sats' | 'USD';
}

export const currencyIn = (form: Form): Currency => (form.text('wallet') === 'USD' ? 'USD' : 'BTC');

export const typedAmountIn = (form: Form): TypedAmount => ({
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
});

type Rounding = (cents: bigint, centsPerBtc: bigint) => bigint;

const down: Rounding = (cents, centsPerBtc) => (cents * SATS_PER_BTC) / centsPerBtc;
const up: Rounding = (cents, centsPerBtc) => (cents * SATS_PER_BTC + centsPerBtc - 1n) / centsPerBtc;

/**
 * The amount that a person sends, in whole satoshis, or the fault as a sentence. Dollars are converted at the current price and rounded down: what is sent
 * is worth no more than what was typed, so that the dollars that a limit leaves can be typed too.
 */
export const satsToSend = (typed: TypedAmount, centsPerBtc: bigint | null): bigint | string => satsTyped(typed, centsPerBtc, down);

/** The same for an amount that a person requests. Rounded up: an invoice is worth no less than what was typed. */
export const satsToRequest = (typed: TypedAmount, centsPerBtc: bigint | null): bigint | string => satsTyped(typed, centsPerBtc, up);

function satsTyped({ amount, unit }: TypedAmount, centsPerBtc: bigint | null, rounded: Rounding): bigint | string {
  const reading = readAmount(amount, unit, unit === 'USD' && centsPerBtc !== null ? worthOfMaxSats(centsPerBtc) : undefined);
  if (reading.kind === 'refused') return reading.reason;
  if (unit !== 'sats' && centsPerBtc === null) return 'No price is available now. Enter the amount in sats.';
  const sats =
    reading.kind === 'empty' ? 0n : centsPerBtc === null || unit === 'sats' ? reading.value : rounded(reading.value, centsPerBtc);
  return sats === 0n ? 'Enter an amount of at least 1 sat.' : sats;
}

/** The amount that a person sends from a wallet in dollars, in cents, or the fault as a sentence. Satoshis are rounded up, as the dealer does. */
export function centsToSend({ amount, unit }: TypedAmount, ask: bigint | null): bigint | string {
  if (ask === null) return 'No price is available now. Pay from your Bitcoin wallet.';
  const reading = readAmount(amount, unit, unit === 'USD' ? worthOfMaxSats(ask) : undefined);
  if (reading.kind === 'refused') return reading.reason;
  const cents = reading.kind === 'empty' ? 0n : unit === 'USD' ? reading.value : centsCosting(msatOfSats(reading.value), ask);
  return cents === 0n ? 'Enter an amount of at least $0.01.' : cents;
}

const worthOfMaxSats = (centsPerBtc: bigint): AmountBound => amountUpTo((BigInt(MAX_SATS) * centsPerBtc) / SATS_PER_BTC, 'USD');

const SATS: Option = { value: 'sats', label: 'sats' };
const DOLLARS: Option = { value: 'USD', label: 'US dollar' };

export const UNITS: readonly Option[] = [SATS, DOLLARS];

export interface PriceState {
  readonly hasSource: boolean;
  readonly hasPrice: boolean;
}

interface TypedAmountField extends Pick<Amount, 'label' | 'error'>, PriceState {
  readonly typed: TypedAmount;
  /** The hint, where the amount is in bitcoin in any case. */
  readonly paid: string;
  /** A person chooses between two wallets. */
  readonly isChoice: boolean;
  readonly autofocus?: boolean;
}

export function typedAmountField({ typed, paid, isChoice, hasSource, hasPrice, ...spec }: TypedAmountField): Html {
  const inSats = hasSource ? `${paid}. Enter sats: this server has no price of dollars now.` : `${paid}.`;
  const hint = hasPrice ? (isChoice ? 'In sats or dollars.' : `${paid}, even if you enter dollars.`) : inSats;
  const units = hasPrice ? UNITS : [SATS];
  // Dollars that were typed would become as many sats.
  const value = hasPrice || typed.unit === 'sats' ? typed.amount : '';
  return amountField({ ...spec, name: 'amount', hint, value, units, unit: typed.unit });
}
