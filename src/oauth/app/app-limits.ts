import { Injectable } from '@nestjs/common';
import { BudgetService, invalidWindows, type Budget, type BudgetLimits, type BudgetWindow, type LimitsChange } from '../../budget/index.js';
import { budgetOf } from '../grant/app-budget.js';
import { AppService } from './app.service.js';

export type AppLimitOutcome =
  | { readonly kind: 'changed' }
  /** No window was changed. */
  | { readonly kind: 'invalid'; readonly windows: readonly BudgetWindow[] }
  /** Other limits apply than the person has seen: no window was changed. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'not_connected' };

/** What the connected apps of a person may spend. */
@Injectable()
export class AppLimits {
  constructor(
    private readonly apps: AppService,
    private readonly budgets: BudgetService,
  ) {}

  /** Sets and removes limits, all or none: for a person who has seen those of now. @param id the client's */
  async replace(userId: string, id: string, change: LimitsChange): Promise<AppLimitOutcome> {
    const windows = invalidWindows(change.wanted);
    if (windows.length > 0) return { kind: 'invalid', windows };
    if (!(await this.apps.find(userId, id))) return { kind: 'not_connected' };
    const verdict = await this.budgets.replace(budgetOf(userId, id), change);
    return { kind: verdict === 'stale' ? 'stale' : 'changed' };
  }

  /** The limits of an app and what it has spent. */
  load(userId: string, id: string): Promise<Budget> {
    return this.budgets.load(budgetOf(userId, id).id);
  }

  /** The limits of those of these apps that have one, by the clients' ids. */
  async limitsOf(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    const limits = await this.budgets.limitsOf(ids.map((id) => budgetOf(userId, id).id));
    return new Map(ids.flatMap((id) => [[id, limits.get(budgetOf(userId, id).id)] as const]).filter(hasLimits));
  }
}

const hasLimits = (entry: readonly [string, BudgetLimits | undefined]): entry is readonly [string, BudgetLimits] => entry[1] !== undefined;
