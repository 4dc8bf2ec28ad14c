import { Injectable } from '@nestjs/common';
import {
  BudgetService,
  invalidWindows,
  isLimit,
  type Budget,
  type BudgetLimits,
  type BudgetWindow,
  type LimitsChange,
} from '../budget/index.js';
import type { ApiKeyLimitOutcome, ApiKeyLimitsOutcome } from './api-key.outcome.js';
import type { ApiKeyRow } from './api-key.row.js';
import { ApiKeyService } from './api-key.service.js';

interface WorkingKey {
  readonly kind: 'working';
  readonly apiKey: ApiKeyRow;
}

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

  /** Sets and removes limits, all or none: for a person who has seen those of now. */
  async replace(userId: string, id: string, change: LimitsChange): Promise<ApiKeyLimitsOutcome> {
    const windows = invalidWindows(change.wanted);
    if (windows.length > 0) return { kind: 'invalid', windows };
    const found = await this.working(userId, id);
    if (found.kind !== 'working') return found;
    const { apiKey } = found;
    return (await this.budgets.replace(apiKey, change)) === 'stale' ? { kind: 'stale' } : { kind: 'changed', apiKey };
  }

  /** The limits of those of these keys that have one. */
  limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.budgets.limitsOf(ids);
  }

  /** The limits of a key and what it has spent. */
  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }

  private async change(userId: string, id: string, write: (apiKey: ApiKeyRow) => Promise<void>): Promise<ApiKeyLimitOutcome> {
    const found = await this.working(userId, id);
    if (found.kind !== 'working') return found;
    await write(found.apiKey);
    return { kind: 'changed', apiKey: found.apiKey };
  }

  /** A key never changes its owner, so what is found is still the person's when its limit changes. */
  private async working(userId: string, id: string): Promise<WorkingKey | { readonly kind: 'not_found' | 'ended' }> {
    const apiKey = await this.keys.find(userId, id);
    if (!apiKey) return { kind: 'not_found' };
    return apiKey.revoked || apiKey.expired ? { kind: 'ended' } : { kind: 'working', apiKey };
  }
}
