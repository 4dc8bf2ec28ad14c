import {
  BUDGET_WINDOWS,
  isLimit,
  LIMIT_RANGE,
  limitTyped,
  type Budget,
  type BudgetWindow,
  type LimitsChange,
} from '../../access/limit/index.js';
import { PageError, type Form } from '../../edge/page/index.js';

/** A text for each window; empty: no limit. */
export type LimitTexts = Readonly<Record<BudgetWindow, string>>;

export type LimitErrors = Readonly<Partial<Record<BudgetWindow, string>>>;

export interface LimitsForm {
  readonly values: LimitTexts;
  /** The form showed this before the person typed: only a field that differs is written. */
  readonly shown: LimitTexts;
}

const textsOf = (textOf: (window: BudgetWindow) => string): LimitTexts =>
  Object.fromEntries(BUDGET_WINDOWS.map((window) => [window, textOf(window)])) as LimitTexts;

export const shownField = (window: BudgetWindow): string => `shown-${window}`;

export function presentForm(budget: Budget): LimitsForm {
  const values = textsOf((window) => budget[window].limitSats?.toLocaleString('en') ?? '');
  return { values, shown: values };
}

/** @throws PageError unless each window comes once: one that is absent must not remove its limit */
export function formIn(form: Form): LimitsForm {
  if (BUDGET_WINDOWS.some((window) => form.list(window).length !== 1 || form.list(shownField(window)).length !== 1))
    throw new PageError({ kind: 'error', error: 'request' });
  return { values: textsOf((window) => form.text(window).trim()), shown: textsOf((window) => form.text(shownField(window))) };
}

export function changeIn({ values, shown }: LimitsForm): { readonly change: LimitsChange; readonly errors: LimitErrors } {
  const typed = BUDGET_WINDOWS.filter((window) => values[window] !== shown[window]).map(
    (window) => [window, limitIn(values[window])] as const,
  );
  return {
    change: Object.fromEntries(typed.filter(([, limit]) => typeof limit !== 'string')),
    errors: Object.fromEntries(typed.filter(([, limit]) => typeof limit === 'string')),
  };
}

function limitIn(text: string): number | null | string {
  const limit = limitTyped(text);
  return typeof limit !== 'number' || isLimit(limit) ? limit : LIMIT_RANGE;
}
