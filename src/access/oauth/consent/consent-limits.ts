import type { Form } from '../../../edge/page/index.js';
import { limitTyped, windowLimitTyped, type LimitsChange } from '../../limit/index.js';
import type { OpenInteraction } from '../interaction/interaction.service.js';
import { windowOf, type WalletBudget } from '../authorization-details.js';

/** By the names of fields. */
export type FieldTexts = Readonly<Record<string, string>>;

export const LIMIT_FIELD = 'limit';
export const budgetField = (place: number): string => (place === 0 ? LIMIT_FIELD : `${LIMIT_FIELD}-${place + 1}`);

/** What the page shows before a person types, and what a form without the field means. */
export const budgetText = ({ max_amount: sats }: WalletBudget): string => sats.toLocaleString('en');

/** The texts of a field for each budget that the app asks for, or else of one field. */
export const limitTextsIn = (form: Form, budgets: readonly WalletBudget[]): FieldTexts =>
  budgets.length === 0
    ? { [LIMIT_FIELD]: form.text(LIMIT_FIELD).trim() }
    : Object.fromEntries(budgets.map((budget, n) => [budgetField(n), (form.list(budgetField(n))[0] ?? budgetText(budget)).trim()]));

export interface ConsentLimits {
  readonly change: LimitsChange;
  readonly errors: FieldTexts;
}

/** The limits that a person sets. Where the app asks for a budget it has one, which the person may only lower. */
export function consentLimits(
  texts: FieldTexts,
  window: string,
  { scopes, budgets }: Pick<OpenInteraction, 'scopes' | 'budgets'>,
  rule?: string,
): ConsentLimits {
  if (!scopes.some(({ movesMoney }) => movesMoney)) return { change: {}, errors: {} };
  if (budgets.length === 0) {
    const limit = windowLimitTyped(texts[LIMIT_FIELD] ?? '', window, rule);
    if (typeof limit === 'string') return { change: {}, errors: { [LIMIT_FIELD]: limit } };
    return { change: limit ? { [limit.window]: limit.limitSats } : {}, errors: {} };
  }
  const typed = budgets.map((budget, n) => [windowOf(budget), budgetField(n), loweredTo(texts[budgetField(n)] ?? '', budget)] as const);
  return {
    change: Object.fromEntries(typed.flatMap(([part, , sats]) => (typeof sats === 'number' ? [[part, sats]] : []))),
    errors: Object.fromEntries(typed.flatMap(([, name, fault]) => (typeof fault === 'string' ? [[name, fault]] : []))),
  };
}

/** The limit, or a sentence that says why it is none. */
function loweredTo(text: string, budget: WalletBudget): number | string {
  const rule = `Enter 1 to ${budgetText(budget)} sats: you can lower what the app asks for, not raise it.`;
  const sats = limitTyped(text, rule);
  if (typeof sats === 'string') return sats;
  return sats !== null && sats >= 1 && sats <= budget.max_amount ? sats : rule;
}
