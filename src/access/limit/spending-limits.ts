import type { Tx } from '../../platform/database/index.js';
import type { Budget, BudgetLimits, BudgetOwner, LimitsChange } from './limit.js';

/** The limits of credentials, by their ids. Credentials know no money: `budget` implements this port, and its module provides it everywhere. */
export abstract class SpendingLimits {
  /** Returns the limits of those credentials that have one. It reads no payment, so it suits a list. */
  abstract limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>>;

  /** Returns the limits and what was spent, also where no limit is set. */
  abstract load(id: string): Promise<Budget>;

  /** Sets and removes limits, all or none, from the next payment on. Idempotent. Of two calls for one window the last counts. */
  abstract change(owner: BudgetOwner, change: LimitsChange): Promise<void>;

  /** Does the same in the caller's transaction. */
  abstract changeWithin(tx: Tx, owner: BudgetOwner, change: LimitsChange): Promise<void>;

  /** Forgets credentials that are deleted in this transaction. */
  abstract forget(tx: Tx, ids: readonly string[]): Promise<void>;
}
