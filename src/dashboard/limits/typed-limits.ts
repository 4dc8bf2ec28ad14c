import {
  basedOn,
  changedLimits,
  type ChangedLimit,
  BUDGET_WINDOWS,
  invalidWindows,
  LIMIT_RANGE,
  limitsSeen,
  limitTexts,
  limitTyped,
  ofEachWindow,
  type Budget,
  type BudgetLimits,
  type BudgetWindow,
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

/** A form that was older than a change elsewhere: what the person has changed, in a form with the limits of now. */
export interface StaleForm extends LimitsForm {
  readonly errors: LimitErrors;
  /** Empty for a form that did not say which limits the person saw. */
  readonly elsewhere: readonly ChangedLimit[];
}

export type FormReading =
  /** It shows the limits of now. `errorsOf`: the errors of the fields, with those of the windows that a rule has refused. */
  | { readonly kind: 'current'; readonly change: LimitsChange; readonly errorsOf: (refused: readonly BudgetWindow[]) => LimitErrors }
  /** It is older than a change elsewhere, and what the person wants applies already. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'stale'; readonly form: StaleForm };

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

/** Compares what a person saw and typed with the limits of now. */
export function readForm({ values, based }: LimitsForm, budget: Budget): FormReading {
  const [seen, now] = [limitsSeen(based), limitsIn(budget)];
  if (seen === null) return { kind: 'stale', form: { ...presentForm(budget), errors: {}, elsewhere: [] } };
  const typed = ofEachWindow((window) => limitTyped(values[window]));
  const mine = BUDGET_WINDOWS.filter((window) => typed[window] !== seen[window]);
  const elsewhere = changedLimits(seen, now);
  const wanted = wantedIn(typed, mine);
  const errorsOf = (refused: readonly BudgetWindow[]): LimitErrors => ({
    ...Object.fromEntries(refused.map((window) => [window, LIMIT_RANGE])),
    ...Object.fromEntries(mine.flatMap((window) => (typeof typed[window] === 'string' ? [[window, typed[window]]] : []))),
  });
  if (elsewhere.length === 0) return { kind: 'current', change: { seen, wanted }, errorsOf };
  if (mine.every((window) => typed[window] === now[window])) return { kind: 'settled' };
  const form = {
    values: { ...limitTexts(now), ...Object.fromEntries(mine.map((window) => [window, values[window]])) },
    based: basedOn(now),
    errors: errorsOf(invalidWindows(wanted)),
    elsewhere,
  };
  return { kind: 'stale', form };
}

/** NaN for a text that is no number: the rule of limits refuses it, and decides about all others beside it. */
const wantedIn = (typed: Readonly<Record<BudgetWindow, number | null | string>>, mine: readonly BudgetWindow[]): Partial<BudgetLimits> =>
  Object.fromEntries(mine.map((window) => [window, typeof typed[window] === 'string' ? NaN : typed[window]]));
