import type { Tx } from '../../platform/database/index.js';
import type { Budget, BudgetLimits, BudgetOwner, LimitsChange } from './limit.js';

/** The limits of credentials, by their ids. Credentials know no money: `budget` implements this port, and its module provides it everywhere. */
export abstract class SpendingLimits {
  /** Returns the limits of those credentials that have one. It reads no payment, so it suits a list. */
  abstract limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>>;

  abstract load(id: string): Promise<Budget>;

  /** Sets and removes limits, all or none, from the next payment on. Idempotent. Of two calls for one window the last counts. */
  abstract change(owner: BudgetOwner, change: LimitsChange): Promise<void>;

  abstract changeWithin(tx: Tx, owner: BudgetOwner, change: LimitsChange): Promise<void>;

  abstract forget(tx: Tx, ids: readonly string[]): Promise<void>;
}
