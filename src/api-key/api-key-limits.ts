import { Injectable } from '@nestjs/common';
import { BudgetService, type Budget, type BudgetWindow } from '../budget/index.js';
import type { ApiKeyLimitOutcome } from './api-key.outcome.js';
import { ApiKeyService } from './api-key.service.js';

/** Spending limits of keys: a key's budget has the key's id, as its payments do. */
@Injectable()
export class ApiKeyLimits {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly budgets: BudgetService,
  ) {}

  /** @param limitSats at least 1; it counts also what the key has spent before */
  async set(userId: string, id: string, window: BudgetWindow, limitSats: number): Promise<ApiKeyLimitOutcome> {
    return this.change(userId, id, (found) => this.budgets.setLimit(found, window, limitSats));
  }

  /** The other windows keep their limits. Idempotent. */
  async remove(userId: string, id: string, window: BudgetWindow): Promise<ApiKeyLimitOutcome> {
    return this.change(userId, id, (found) => this.budgets.removeLimit(found, window));
  }

  /** The limits of a key and what it has spent. */
  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }

  /** A key never changes its owner, so what is found is still the person's when its limit changes. */
  private async change(userId: string, id: string, write: (id: string) => Promise<void>): Promise<ApiKeyLimitOutcome> {
    const apiKey = await this.keys.find(userId, id);
    if (!apiKey) return { kind: 'not_found' };
    await write(apiKey.id);
    return { kind: 'changed', apiKey };
  }
}
