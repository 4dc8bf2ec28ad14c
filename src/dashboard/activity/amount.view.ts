import { amountField, type Amount, type Html, type Option } from '../../edge/page/index.js';
import type { TypedAmount } from './amount.js';

const SATS: Option = { value: 'sats', label: 'sats' };
const DOLLARS: Option = { value: 'USD', label: 'US dollar' };

export const UNITS: readonly Option[] = [SATS, DOLLARS];

interface BitcoinAmount extends Pick<Amount, 'label' | 'error'> {
  readonly typed: TypedAmount;
  readonly paid: string;
  readonly hasPrice: boolean;
  readonly autofocus?: boolean;
}

export function bitcoinAmountField({ typed, paid, hasPrice, ...spec }: BitcoinAmount): Html {
  const hint = hasPrice ? `${paid}, even if you enter dollars.` : `${paid}. Enter sats: this server has no price of dollars now.`;
  const units = hasPrice ? UNITS : [SATS];
  // Dollars that were typed would become as many sats.
  const value = hasPrice || typed.unit === 'sats' ? typed.amount : '';
  return amountField({ ...spec, name: 'amount', hint, value, units, unit: typed.unit });
}
