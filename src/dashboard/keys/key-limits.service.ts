import { Injectable } from '@nestjs/common';
import { ApiKeyLimits } from '../../api-key/index.js';
import { BUDGET_WINDOWS, type Budget, type BudgetLimits, type BudgetWindow } from '../../budget/index.js';
import { PageError, type Form } from '../../page/index.js';
import { basedOn, limitValues, type KeyLimitsModel } from './key-limits.view.js';
import { LIMIT_RANGE, limitTyped } from './typed-limit.js';

/** A form of limits as it was sent. */
export type SentLimits = Pick<KeyLimitsModel, 'values' | 'based'>;

export type LimitsOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'mistaken'; readonly errors: KeyLimitsModel['errors'] }
  /** Limits have changed since the form was shown: nothing is set. */
  | { readonly kind: 'stale'; readonly present: KeyLimitsModel['values'] };

/** Reads and changes the spending limits of API keys from what a person typed. */
@Injectable()
export class KeyLimitsPageService {
  constructor(private readonly limits: ApiKeyLimits) {}

  /** @param id of a key of this person */
  load(id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  /** Sets what the person has changed. @throws PageError unless it is a key of this person */
  async save(userId: string, id: string, { values, based }: SentLimits): Promise<LimitsOutcome> {
    const present = limitValues(await this.limits.load(id));
    if (based !== basedOn(present)) return { kind: 'stale', present };
    const typed = recordOf((window) => limitTyped(values[window]));
    const unread = BUDGET_WINDOWS.flatMap((window) => (typeof typed[window] === 'string' ? [[window, typed[window]] as const] : []));
    // The rule of limits decides about all others, also beside a text that is no number.
    const wanted: BudgetLimits = recordOf((window) => (typeof typed[window] === 'string' ? NaN : typed[window]));
    const changed = BUDGET_WINDOWS.filter((window) => wanted[window] !== limitTyped(present[window]));
    const outcome = await this.limits.replace(userId, id, Object.fromEntries(changed.map((window) => [window, wanted[window]])));
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    if (outcome.kind === 'changed') return { kind: 'saved' };
    const ranges = outcome.windows.map((window) => [window, LIMIT_RANGE] as const);
    return { kind: 'mistaken', errors: Object.fromEntries<string>([...ranges, ...unread]) };
  }

  /** @throws PageError unless each window comes once: one that is absent must not remove its limit */
  requireAll(form: Form): void {
    if (BUDGET_WINDOWS.some((window) => form.list(window).length !== 1)) throw new PageError({ kind: 'error', error: 'request' });
  }

  sentIn(form: Form): SentLimits {
    return { values: recordOf((window) => form.text(window).trim()), based: form.text('based') };
  }
}

const recordOf = <Value>(of: (window: BudgetWindow) => Value): Record<BudgetWindow, Value> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});
