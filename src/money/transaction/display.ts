import { satsCeil } from '../../platform/kernel/money.js';
import {
  bitcoinOfMsat,
  centsOfMsat,
  dollarsOfCents,
  frozenPrice,
  quoteInBitcoin,
  quoteOfCent,
  quoteOfSat,
  type FrozenPrice,
} from '../price/index.js';
import type { TransactionRow } from './transaction.row.js';

type DisplayedRow = Pick<TransactionRow, 'currency' | 'centsPerBtc' | 'displayCurrency' | 'displayRate'>;

const BILLIONTHS = 1e9;

export interface Display extends FrozenPrice {
  readonly currency: string;
}

/** The display currency and the price that were frozen with the row: dollars without a rate, bitcoin if there was no price to be trusted. */
export function displayOf({ currency, centsPerBtc, displayCurrency, displayRate }: DisplayedRow): Display {
  if (currency === 'BTC' && centsPerBtc === null) return { currency: 'BTC', quote: quoteInBitcoin(), textOf: bitcoinOfMsat };
  const ofBitcoin = currency === 'BTC' ? centsPerBtc : null;
  if (displayCurrency !== null && displayRate !== null) {
    const price = frozenPrice({ currency: displayCurrency, billionthsPerDollar: displayRate }, ofBitcoin ?? undefined);
    if (price) return { currency: displayCurrency, ...price };
  }
  if (ofBitcoin === null) return { currency: 'USD', quote: quoteOfCent(), textOf: dollarsOfCents };
  return { currency: 'USD', quote: quoteOfSat(ofBitcoin), textOf: (minor) => dollarsOfCents(centsOfMsat(minor, ofBitcoin)) };
}

export const unitsPerDollarOf = ({ displayRate }: TransactionRow): number => (displayRate === null ? 1 : Number(displayRate) / BILLIONTHS);

/** The fee in whole satoshis (rounded up) or cents. */
export const feeOf = ({ currency, fee }: Pick<TransactionRow, 'currency' | 'fee'>): number =>
  currency === 'BTC' ? satsCeil(fee) : Number(fee);

/** The other side of a payment inside Sluice, as the API and webhooks name it. */
export const counterpartyOf = (row: TransactionRow): { counterPartyWalletId: string | null; counterPartyUsername: string | null } => ({
  counterPartyWalletId: row.counterpartyWalletId,
  counterPartyUsername: row.counterpartyUsername,
});
