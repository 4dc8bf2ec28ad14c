import { Injectable } from '@nestjs/common';
import type { Budget, BudgetLimits } from '../../budget/index.js';
import { AppLimits } from '../../oauth/index.js';
import { limitsTyped, type LimitErrors, type TypedLimits } from '../keys/typed-limit.js';

/** Reads and changes the spending limits of connected apps from what a person typed. */
@Injectable()
export class AppLimitsPageService {
  constructor(private readonly limits: AppLimits) {}

  /** What the app can spend and has spent. */
  load(userId: string, id: string): Promise<Budget> {
    return this.limits.load(userId, id);
  }

  /** The limits of those of these apps that have one. */
  limitsOf(userId: string, apps: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.limits.limitsOf(
      userId,
      apps.map(({ id }) => id),
    );
  }

  /** @returns the errors by their fields; null: the limits are set. */
  async save(userId: string, id: string, values: TypedLimits): Promise<LimitErrors | null> {
    const { wanted, errorsOf } = limitsTyped(values);
    const outcome = await this.limits.replace(userId, id, wanted);
    if (outcome.kind === 'changed') return null;
    // The page then shows that the app is not connected any more.
    return outcome.kind === 'not_connected' ? {} : errorsOf(outcome.windows);
  }
}
