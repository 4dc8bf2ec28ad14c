import { MAX_LIMIT_SATS } from '../../api-key/index.js';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../budget/index.js';
import { readAmount } from '../../page/index.js';

/** For an amount that the rule of limits refuses. */
export const LIMIT_RANGE = `Enter 1 to ${MAX_LIMIT_SATS.toLocaleString('en')} sats, or nothing for no limit.`;
export const WINDOW_UNKNOWN = 'Choose 24 hours, 7, 30 or 365 days.';

/** A limit in satoshis, null for an empty field, or a sentence that says why the text is no number of sats. */
export function limitTyped(text: string): number | null | string {
  const reading = readAmount(text, 'sats');
  if (reading.kind === 'refused') return reading.reason;
  return reading.kind === 'empty' ? null : Number(reading.value);
}

export const windowTyped = (text: string): BudgetWindow | undefined => BUDGET_WINDOWS.find((window) => window === text);
