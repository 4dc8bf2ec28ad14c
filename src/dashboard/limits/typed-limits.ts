import {
  basedOn,
  BUDGET_WINDOWS,
  LIMIT_RANGE,
  limitTexts,
  limitTyped,
  ofEachWindow,
  lostChanges,
  type Budget,
  type BudgetLimits,
  type BudgetWindow,
  type EnteredLimit,
  type LimitsChange,
  type LimitTexts,
} from '../../budget/index.js';
import { PageError, type Form } from '../../page/index.js';

/** Whole sentences, by their fields. */
export type LimitErrors = Readonly<Partial<Record<BudgetWindow, string>>>;

/** A form of limits, as it is shown and as it is sent. */
export interface LimitsForm {
  readonly values: LimitTexts;
  /** The limits that the person saw when they changed them, see `basedOn`. */
  readonly based: string;
}

export type LimitsOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'mistaken'; readonly errors: LimitErrors }
  /** Limits have changed since the form was shown: nothing is set. */
  | { readonly kind: 'stale' }
  /** It can spend nothing any more. */
  | { readonly kind: 'ended' };

const limitsIn = (budget: Budget): BudgetLimits => ofEachWindow((window) => budget[window].limitSats);

/** The form as it is before a person types. */
export const presentForm = (budget: Budget): LimitsForm => ({
  values: limitTexts(limitsIn(budget)),
  based: basedOn(limitsIn(budget)),
});

export const formIn = (form: Form): LimitsForm => ({
  values: ofEachWindow((window) => form.text(window).trim()),
  based: form.text('based'),
});

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
): { readonly change: LimitsChange; readonly errorsOf: (refused: readonly BudgetWindow[]) => LimitErrors } | null {
  if (based !== basedOn(limitsIn(budget))) return null;
  const typed = BUDGET_WINDOWS.map((window) => [window, limitTyped(values[window])] as const);
  const unread = typed.flatMap(([window, limit]) => (typeof limit === 'string' ? [[window, limit] as const] : []));
  const changed = typed.filter(([window, limit]) => limit !== budget[window].limitSats);
  return {
    // The rule of limits decides about all others, also beside a text that is no number.
    change: {
      seen: limitsIn(budget),
      wanted: Object.fromEntries(changed.map(([window, limit]) => [window, typeof limit === 'string' ? NaN : limit])),
    },
    errorsOf: (refused) => ({ ...Object.fromEntries(refused.map((window) => [window, LIMIT_RANGE])), ...Object.fromEntries(unread) }),
  };
}

/** The form again after it was sent and not saved. */
export const formAfter = (
  outcome: LimitsOutcome,
  sent: LimitsForm,
  budget: Budget,
): LimitsForm & { readonly errors: LimitErrors; readonly lost?: readonly EnteredLimit[] } =>
  outcome.kind === 'stale'
    ? { ...presentForm(budget), errors: {}, lost: lostChanges(sent.values, sent.based, limitsIn(budget)) }
    : { ...sent, errors: outcome.kind === 'mistaken' ? outcome.errors : {} };
