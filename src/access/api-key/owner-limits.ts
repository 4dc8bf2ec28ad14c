import { queryOne, sql, type Tx } from '../../platform/database/index.js';
import { BUDGET_WINDOWS, type BudgetWindow, type LimitsChange, type SpendingLimits } from '../limit/index.js';
import type { ApiKeyEntity } from './api-key.entity.js';

const LOCK = sql`SELECT owner_limits AS "ownerLimits" FROM api_key WHERE id = $1 FOR NO KEY UPDATE`;
const MARK = sql`UPDATE api_key SET owner_limits = $2 WHERE id = $1`;

/**
 * Of a key that an app has created: notes which limits its owner sets, and lets the app only lower these.
 * @param clientId of the app that asks; undefined: the owner does
 */
export async function mayChangeLimits(
  tx: Tx,
  limits: SpendingLimits,
  id: string,
  change: LimitsChange,
  clientId: string | undefined,
): Promise<boolean> {
  const { ownerLimits } = await queryOne<Pick<ApiKeyEntity, 'ownerLimits'>>(tx, LOCK, [id]);
  if (clientId === undefined) {
    const isOwners = (window: BudgetWindow): boolean =>
      change[window] === undefined ? ownerLimits.includes(window) : change[window] !== null;
    await tx.query(MARK, [id, BUDGET_WINDOWS.filter(isOwners)]);
    return true;
  }
  const concerned = ownerLimits.filter((window) => change[window] !== undefined);
  if (concerned.length === 0) return true;
  const now = (await limits.limitsOf([id], tx)).get(id);
  return concerned.every((window) => (change[window] ?? Infinity) <= (now?.[window] ?? Infinity) && change[window] !== null);
}
