import { BUDGET_WINDOWS, LIMIT_RANGE, limitTyped, type BudgetLimits, type BudgetWindow } from '../../budget/index.js';
import { PageError, type Form } from '../../page/index.js';

/** A text for each window, as typed; empty: no limit. */
export type TypedLimits = Readonly<Record<BudgetWindow, string>>;
/** Whole sentences, by their fields. */
export type LimitErrors = Readonly<Partial<Record<BudgetWindow, string>>>;

export const limitsIn = (form: Form): TypedLimits => recordOf((window) => form.text(window).trim());

/** @throws PageError unless each window comes once: one that is absent must not remove its limit */
export function requireEachWindow(form: Form): void {
  if (BUDGET_WINDOWS.some((window) => form.list(window).length !== 1)) throw new PageError({ kind: 'error', error: 'request' });
}

/** The limits that a person typed. `errorsOf`: the errors of these fields, with those of the windows that a rule has refused. */
export function limitsTyped(values: TypedLimits): {
  readonly wanted: BudgetLimits;
  readonly errorsOf: (refused: readonly BudgetWindow[]) => LimitErrors;
} {
  const typed = recordOf((window) => limitTyped(values[window]));
  const unread = BUDGET_WINDOWS.flatMap((window) => (typeof typed[window] === 'string' ? [[window, typed[window]] as const] : []));
  return {
    // The rule of limits decides about all others, also beside a text that is no number.
    wanted: recordOf((window) => (typeof typed[window] === 'string' ? NaN : typed[window])),
    errorsOf: (refused) => ({ ...Object.fromEntries(refused.map((window) => [window, LIMIT_RANGE])), ...Object.fromEntries(unread) }),
  };
}

const recordOf = <Value>(of: (window: BudgetWindow) => Value): Record<BudgetWindow, Value> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});
