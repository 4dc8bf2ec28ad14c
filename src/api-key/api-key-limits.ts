import { Injectable } from '@nestjs/common';
import { BudgetService, invalidWindows, isLimit, type Budget, type BudgetLimits, type BudgetWindow } from '../budget/index.js';
import type { ApiKeyLimitOutcome } from './api-key.outcome.js';
import type { ApiKeyRow } from './api-key.row.js';
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
    if (!isLimit(limitSats)) return { kind: 'invalid', windows: [window] };
    return this.change(userId, id, (found) => this.budgets.setLimit(found, window, limitSats));
  }

  /** The other windows keep their limits. Idempotent. */
  async remove(userId: string, id: string, window: BudgetWindow): Promise<ApiKeyLimitOutcome> {
    return this.change(userId, id, (found) => this.budgets.removeLimit(found, window));
  }

  /** Sets or removes the limits of these windows where another one applies now; null removes. The other windows keep theirs. Idempotent. */
  async replace(userId: string, id: string, wanted: Partial<BudgetLimits>): Promise<ApiKeyLimitOutcome> {
    const windows = invalidWindows(wanted);
    if (windows.length > 0) return { kind: 'invalid', windows };
    return this.change(userId, id, (found) => this.budgets.replace(found, wanted));
  }

  /** The limits of those of these keys that have one. */
  limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.budgets.limitsOf(ids);
  }

  /** The limits of a key and what it has spent. */
  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }

  /** A key never changes its owner, so what is found is still the person's when its limit changes. */
  private async change(userId: string, id: string, write: (apiKey: ApiKeyRow) => Promise<void>): Promise<ApiKeyLimitOutcome> {
    const apiKey = await this.keys.find(userId, id);
    if (!apiKey) return { kind: 'not_found' };
    if (apiKey.revoked || apiKey.expired) return { kind: 'ended' };
    await write(apiKey);
    return { kind: 'changed', apiKey };
  }
}
