import { Injectable } from '@nestjs/common';
import { isLimitsChange, SpendingLimits, type Budget, type BudgetLimits, type LimitsChange } from '../../limit/index.js';
import { budgetOf } from '../grant/grant.service.js';
import { AppService } from './app.service.js';

export type AppLimitOutcome = { readonly kind: 'changed' } | { readonly kind: 'invalid' } | { readonly kind: 'not_connected' };

@Injectable()
export class AppLimits {
  constructor(
    private readonly apps: AppService,
    private readonly limits: SpendingLimits,
  ) {}

  async change(userId: string, id: string, change: LimitsChange): Promise<AppLimitOutcome> {
    if (!isLimitsChange(change)) return { kind: 'invalid' };
    if (!(await this.apps.find(userId, id))) return { kind: 'not_connected' };
    await this.limits.change(budgetOf(userId, id), change);
    return { kind: 'changed' };
  }

  load(userId: string, id: string): Promise<Budget> {
    return this.limits.load(budgetOf(userId, id).id);
  }

  async limitsOf(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    const limits = await this.limits.limitsOf(ids.map((id) => budgetOf(userId, id).id));
    return new Map(ids.flatMap((id) => [[id, limits.get(budgetOf(userId, id).id)] as const]).filter(hasLimits));
  }
}

const hasLimits = (entry: readonly [string, BudgetLimits | undefined]): entry is readonly [string, BudgetLimits] => entry[1] !== undefined;
