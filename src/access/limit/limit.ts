/** 24 hours, 7, 30 and 365 days. */
export const BUDGET_WINDOWS = ['daily', 'weekly', 'monthly', 'annual'] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

export interface BudgetOwner {
  readonly id: string;
  readonly userId: string;
}

/** One window of a budget, in satoshis. */
export interface BudgetState {
  readonly limitSats: number | null;
  readonly spentSats: number;
}

/** Each window has a limit of its own, and a payment must be within all of them. */
export type Budget = Readonly<Record<BudgetWindow, BudgetState>>;

export type BudgetLimits = Readonly<Record<BudgetWindow, number | null>>;

/** Null removes a limit; a window that is absent keeps its limit. */
export type LimitsChange = Partial<BudgetLimits>;

/** Satoshis: the range of GraphQL's `Int`, in which the API states limits. */
export const MAX_LIMIT_SATS = 2_147_483_647;

export const isLimit = (sats: unknown): boolean => Number.isInteger(sats) && Number(sats) >= 1 && Number(sats) <= MAX_LIMIT_SATS;

export const isLimitsChange = (change: LimitsChange): boolean =>
  Object.values(change).every((limitSats) => limitSats === null || isLimit(limitSats));
