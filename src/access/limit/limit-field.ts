import { amountField, readAmount, type Amount, type AmountBound, type Html } from '../../edge/page/index.js';
import { BUDGET_WINDOWS, isLimit, MAX_LIMIT_SATS, type BudgetWindow } from './limit.js';

export const WINDOW_NAMES: Readonly<Record<BudgetWindow, string>> = {
  daily: '24 hours',
  weekly: '7 days',
  monthly: '30 days',
  annual: '365 days',
};

const RANGE = `Enter 1 to ${MAX_LIMIT_SATS.toLocaleString('en')} sats`;
export const LIMIT_RANGE = `${RANGE}, or nothing for no limit.`;
/** The same, where an empty field changes nothing. */
export const ADDED_LIMIT_RANGE = `${RANGE}, or nothing to keep the limits as they are.`;
const WINDOW_UNKNOWN = 'Choose 24 hours, 7, 30 or 365 days.';

/** A limit in satoshis, null for an empty field, or a sentence that says why the text is no limit; of zero the rule of limits says it. */
export function limitTyped(text: string, rule = LIMIT_RANGE): number | null | string {
  const bound: AmountBound = { largest: BigInt(MAX_LIMIT_SATS), rule };
  const reading = readAmount(text, 'sats', bound);
  if (reading.kind === 'refused') return reading.reason;
  return reading.kind === 'empty' ? null : Number(reading.value);
}

export const windowTyped = (text: string): BudgetWindow | undefined => BUDGET_WINDOWS.find((window) => window === text);

export interface WindowLimit {
  readonly window: BudgetWindow;
  readonly limitSats: number;
}

export function windowLimitTyped(text: string, windowText: string, rule = LIMIT_RANGE): WindowLimit | null | string {
  const limitSats = limitTyped(text, rule);
  if (limitSats === null || typeof limitSats === 'string') return limitSats;
  const window = windowTyped(windowText);
  if (window === undefined) return WINDOW_UNKNOWN;
  return isLimit(limitSats) ? { window, limitSats } : rule;
}

/** The field of a first limit, with the window that it is for. */
export const windowLimitField = (spec: Pick<Amount, 'hint' | 'error' | 'value' | 'unit'>): Html =>
  amountField({
    ...spec,
    name: 'limit',
    label: 'Spending limit (optional)',
    units: Object.entries(WINDOW_NAMES).map(([value, name]) => ({ value, label: `sats in ${name}` })),
    unitField: { name: 'window', label: 'Time of the limit' },
  });
