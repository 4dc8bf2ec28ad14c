import { amountField, type Amount, type Html, type Option } from '../../edge/page/index.js';
import type { TypedAmount } from './amount.js';

const SATS: Option = { value: 'sats', label: 'sats' };
const DOLLARS: Option = { value: 'USD', label: 'US dollar' };

/** The currencies in which a person may type an amount. */
export const UNITS: readonly Option[] = [SATS, DOLLARS];

interface BitcoinAmount extends Pick<Amount, 'label' | 'error'> {
  readonly typed: TypedAmount;
  /** "Paid from your Bitcoin wallet", without a full stop. */
  readonly paid: string;
  readonly hasPrice: boolean;
  readonly autofocus?: boolean;
}

/** The amount of a payment in bitcoin: typed in sats, or in dollars while there is a price. */
export function bitcoinAmountField({ typed, paid, hasPrice, ...spec }: BitcoinAmount): Html {
  const hint = hasPrice ? `${paid}, even if you enter dollars.` : `${paid}. Enter sats: this server has no price of dollars now.`;
  const units = hasPrice ? UNITS : [SATS];
  // Dollars that were typed would become as many sats.
  const value = hasPrice || typed.unit === 'sats' ? typed.amount : '';
  return amountField({ ...spec, name: 'amount', hint, value, units, unit: typed.unit });
}
