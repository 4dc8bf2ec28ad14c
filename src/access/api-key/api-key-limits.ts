import { Injectable } from '@nestjs/common';
import { isLimitsChange, SpendingLimits, type Budget, type BudgetLimits, type LimitsChange } from '../limit/index.js';
import type { ApiKeyLimitOutcome } from './api-key.outcome.js';
import { ApiKeyService } from './api-key.service.js';

/** Spending limits of keys: a key's budget has the key's id, as its payments do. */
@Injectable()
export class ApiKeyLimits {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly limits: SpendingLimits,
  ) {}

  /** Sets and removes limits, all or none. A limit counts also what the key has spent before. */
  async change(userId: string, id: string, change: LimitsChange): Promise<ApiKeyLimitOutcome> {
    if (!isLimitsChange(change)) return { kind: 'invalid' };
    // A key never changes its owner, so what is found is still the person's when its limit changes.
    const apiKey = await this.keys.find(userId, id);
    if (!apiKey) return { kind: 'not_found' };
    if (apiKey.revoked || apiKey.expired) return { kind: 'ended' };
    await this.limits.change(apiKey, change);
    return { kind: 'changed', apiKey };
  }

  limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.limits.limitsOf(ids);
  }

  load(id: string): Promise<Budget> {
    return this.limits.load(id);
  }
}
