import type { Principal } from '../../edge/auth/index.js';
import type { Tx } from '../../platform/database/index.js';

/** 24 hours, 7, 30 and 365 days. */
export const BUDGET_WINDOWS = ['daily', 'weekly', 'monthly', 'annual'] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

export interface BudgetOwner {
  readonly id: string;
  readonly userId: string;
}

/** The budget of an app for one person, whatever grants it has: a new sign-in through the app is a new grant. */
export const appBudget = (userId: string, clientId: string): BudgetOwner => ({ id: `${clientId}:${userId}`, userId });

/** The budgets that a payment by this credential counts for; `budgets_of` (budget.sql) has the same. */
export function budgetIdsOf({ kind, id, userId, clientId, createdBy }: Principal): readonly string[] {
  const app = clientId ?? createdBy;
  const ofApp = userId === null || app === undefined ? [] : [appBudget(userId, app).id];
  return kind === 'api-key' ? [id, ...ofApp] : ofApp;
}

export interface BudgetState {
  readonly limitSats: number | null;
  readonly spentSats: number;
}

/** Each window has a limit of its own, and a payment must be within all of them. */
export type Budget = Readonly<Record<BudgetWindow, BudgetState>>;

/** A limit that a credential has, and what it has spent of it. */
export interface LimitInForce {
  readonly window: BudgetWindow;
  readonly limitSats: number;
  readonly spentSats: number;
  /** Where nothing is left: when something is, unless a payment in flight fails earlier. */
  readonly freeAt: Date | null;
}

export type BudgetLimits = Readonly<Record<BudgetWindow, number | null>>;

/** Null removes a limit; a window that is absent keeps its limit. */
export type LimitsChange = Partial<BudgetLimits>;

/** Satoshis above which a payment, or one of a sum in 24 hours, waits for its owner: 0 asks for each, null for none. */
export interface AskAbove {
  readonly paymentSats: number | null;
  readonly daySats: number | null;
}

export const ASKS_NEVER: AskAbove = { paymentSats: null, daySats: null };

export const asks = ({ paymentSats, daySats }: AskAbove): boolean => paymentSats !== null || daySats !== null;

export const isAskAmount = (sats: unknown): boolean => sats === null || sats === 0 || isLimit(sats);

/** Satoshis: the range of GraphQL's `Int`, in which the API states limits. */
export const MAX_LIMIT_SATS = 2_147_483_647;

export const isLimit = (sats: unknown): boolean => Number.isInteger(sats) && Number(sats) >= 1 && Number(sats) <= MAX_LIMIT_SATS;

export const isLimitsChange = (change: LimitsChange): boolean =>
  Object.values(change).every((limitSats) => limitSats === null || isLimit(limitSats));

/** The limits of credentials, by their ids. Credentials know no money: `budget` implements this port, and its module provides it everywhere. */
export abstract class SpendingLimits {
  /** Returns the limits of those credentials that have one. It reads no payment, so it suits a list. */
  abstract limitsOf(ids: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, BudgetLimits>>;

  abstract load(id: string): Promise<Budget>;

  /** The limits of a credential, the shortest window first; of two budgets with one window that which leaves less. @param ids `budgetIdsOf` it */
  abstract inForce(ids: readonly string[]): Promise<readonly LimitInForce[]>;

  /** Sets and removes limits, all or none, from the next payment on. Idempotent. Of two calls for one window the last counts. */
  abstract changeWithin(tx: Tx, owner: BudgetOwner, change: LimitsChange): Promise<void>;

  abstract askOf(id: string): Promise<AskAbove>;

  /** From the next payment on. */
  abstract askWithin(tx: Tx, owner: BudgetOwner, ask: AskAbove): Promise<void>;

  abstract forget(tx: Tx, ids: readonly string[]): Promise<void>;
}
