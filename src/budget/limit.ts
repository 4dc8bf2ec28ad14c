import { BUDGET_WINDOWS, type BudgetLimits, type BudgetWindow } from './budget.service.js';

/** Satoshis: the range of GraphQL's `Int`, in which the API states limits. */
export const MAX_LIMIT_SATS = 2_147_483_647;

/** Whether a window of a budget can have this limit. */
export const isLimit = (sats: unknown): boolean => Number.isInteger(sats) && Number(sats) >= 1 && Number(sats) <= MAX_LIMIT_SATS;

/** The windows for which a limit is stated that they cannot have. */
export const invalidWindows = (wanted: Partial<BudgetLimits>): BudgetWindow[] =>
  BUDGET_WINDOWS.filter((window) => wanted[window] !== undefined && wanted[window] !== null && !isLimit(wanted[window]));
