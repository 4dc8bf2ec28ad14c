import { Injectable } from '@nestjs/common';
import { ApiKeyLimits } from '../../api-key/index.js';
import { BUDGET_WINDOWS, type Budget, type BudgetLimits, type BudgetWindow } from '../../budget/index.js';
import { PageError, type Form } from '../../page/index.js';
import type { KeyLimitsModel } from './key-limits.view.js';
import { LIMIT_RANGE, limitTyped } from './typed-limit.js';

/** Reads and changes the spending limits of API keys from what a person typed. */
@Injectable()
export class KeyLimitsPageService {
  constructor(private readonly limits: ApiKeyLimits) {}

  /** @param id of a key of this person */
  load(id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  /** @returns the errors by their fields; null: the limits are set. @throws PageError unless it is a key of this person */
  async save(userId: string, id: string, values: KeyLimitsModel['values']): Promise<KeyLimitsModel['errors'] | null> {
    const typed = recordOf((window) => limitTyped(values[window]));
    const unread = BUDGET_WINDOWS.flatMap((window) => (typeof typed[window] === 'string' ? [[window, typed[window]] as const] : []));
    // The rule of limits decides about all others, also beside a text that is no number.
    const wanted: BudgetLimits = recordOf((window) => (typeof typed[window] === 'string' ? NaN : typed[window]));
    const outcome = await this.limits.replace(userId, id, wanted);
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    if (outcome.kind === 'changed') return null;
    // The page then shows that the key has ended.
    if (outcome.kind === 'ended') return {};
    return { ...Object.fromEntries(outcome.windows.map((window) => [window, LIMIT_RANGE])), ...Object.fromEntries(unread) };
  }

  /** @throws PageError unless each window comes once: one that is absent must not remove its limit */
  requireAll(form: Form): void {
    if (BUDGET_WINDOWS.some((window) => form.list(window).length !== 1)) throw new PageError({ kind: 'error', error: 'request' });
  }

  valuesOf(form: Form): KeyLimitsModel['values'] {
    return recordOf((window) => form.text(window).trim());
  }
}

const recordOf = <Value>(of: (window: BudgetWindow) => Value): Record<BudgetWindow, Value> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});
