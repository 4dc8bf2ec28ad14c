import {
  BUDGET_WINDOWS,
  LIMIT_RANGE,
  limitTyped,
  type Budget,
  type BudgetLimits,
  type BudgetState,
  type BudgetWindow,
} from '../../budget/index.js';
import { PageError, type Form } from '../../page/index.js';

/** A text for each window, as typed; empty: no limit. */
export type TypedLimits = Readonly<Record<BudgetWindow, string>>;
/** Whole sentences, by their fields. */
export type LimitErrors = Readonly<Partial<Record<BudgetWindow, string>>>;

/** A form of limits, as it is shown and as it is sent. */
export interface LimitsForm {
  readonly values: TypedLimits;
  /** The limits that the person saw when they changed them, see `basedOn`: a form that is older than a change elsewhere sets nothing. */
  readonly based: string;
}

export type LimitsOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'mistaken'; readonly errors: LimitErrors }
  /** Limits have changed since the form was shown: nothing is set. */
  | { readonly kind: 'stale' }
  /** It can spend nothing any more. */
  | { readonly kind: 'ended' };

/** The limits of now, as text. */
export function limitValues(budget: Budget): TypedLimits {
  const valueOf = ({ limitSats }: BudgetState): string => (limitSats === null ? '' : limitSats.toLocaleString('en'));
  return recordOf((window) => valueOf(budget[window]));
}

const basedOn = (budget: Budget): string => Object.values(limitValues(budget)).join(' / ');

/** The form as it is before a person types. */
export const presentForm = (budget: Budget): LimitsForm => ({ values: limitValues(budget), based: basedOn(budget) });

export const formIn = (form: Form): LimitsForm => ({ values: recordOf((window) => form.text(window).trim()), based: form.text('based') });

/** @throws PageError unless each window comes once: one that is absent must not remove its limit */
export function requireEachWindow(form: Form): void {
  if (BUDGET_WINDOWS.some((window) => form.list(window).length !== 1)) throw new PageError({ kind: 'error', error: 'request' });
}

/**
 * What a person has changed. `errorsOf`: the errors of the fields, with those of the windows that a rule has refused.
 * @returns null for a form that is older than the limits of now
 */
export function limitsTyped(
  { values, based }: LimitsForm,
  budget: Budget,
): { readonly wanted: Partial<BudgetLimits>; readonly errorsOf: (refused: readonly BudgetWindow[]) => LimitErrors } | null {
  if (based !== basedOn(budget)) return null;
  const typed = BUDGET_WINDOWS.map((window) => [window, limitTyped(values[window])] as const);
  const unread = typed.flatMap(([window, limit]) => (typeof limit === 'string' ? [[window, limit] as const] : []));
  const changed = typed.filter(([window, limit]) => limit !== budget[window].limitSats);
  return {
    // The rule of limits decides about all others, also beside a text that is no number.
    wanted: Object.fromEntries(changed.map(([window, limit]) => [window, typeof limit === 'string' ? NaN : limit])),
    errorsOf: (refused) => ({ ...Object.fromEntries(refused.map((window) => [window, LIMIT_RANGE])), ...Object.fromEntries(unread) }),
  };
}

/** The form again after it was sent and not saved. */
export const formAfter = (
  outcome: LimitsOutcome,
  sent: LimitsForm,
  budget: Budget,
): LimitsForm & { readonly errors: LimitErrors; readonly overtaken?: TypedLimits } =>
  outcome.kind === 'stale'
    ? { ...presentForm(budget), errors: {}, overtaken: sent.values }
    : { ...sent, errors: outcome.kind === 'mistaken' ? outcome.errors : {} };

const recordOf = <Value>(of: (window: BudgetWindow) => Value): Record<BudgetWindow, Value> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});
