import { isLimit, MAX_LIMIT_SATS, type BudgetWindow, type LimitsChange } from '../limit/index.js';
import { OAuthError } from './oauth-error.js';

/** The supported types of RFC 9396; discovery lists them. */
export const AUTHORIZATION_DETAILS_TYPES = ['wallet_budget'] as const;

const WINDOWS = { day: 'daily', week: 'weekly', month: 'monthly', year: 'annual' } as const satisfies Readonly<
  Record<string, BudgetWindow>
>;

/** What an app may spend, as clients state it (RFC 9396 section 2). Dollars count in satoshis too, so these are the only currency. */
export interface WalletBudget {
  readonly type: 'wallet_budget';
  readonly currency: 'SAT';
  readonly max_amount: number;
  readonly period: keyof typeof WINDOWS;
}

export const windowOf = ({ period }: WalletBudget): BudgetWindow => WINDOWS[period];

/** The budgets with the limits of these windows in the place of what was asked for. */
export const withLimits = (budgets: readonly WalletBudget[], limits: LimitsChange): readonly WalletBudget[] =>
  budgets.map((budget) => ({ ...budget, max_amount: limits[windowOf(budget)] ?? budget.max_amount }));

const refused = (why: string): OAuthError => new OAuthError('invalid_authorization_details', `authorization_details: ${why}`);

/** @param text JSON @throws OAuthError invalid_authorization_details (RFC 9396 section 5) */
export function walletBudgetsInJson(text: string): readonly WalletBudget[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('it must be JSON, an array of objects');
  }
  return walletBudgetsIn(value);
}

/** Each period comes once. @throws OAuthError invalid_authorization_details */
export function walletBudgetsIn(value: unknown): readonly WalletBudget[] {
  if (!Array.isArray(value) || value.length === 0) throw refused('it must be an array of at least one object');
  const budgets = value.map(walletBudgetOf);
  if (new Set(budgets.map(windowOf)).size < budgets.length) throw refused('each period may come once');
  return budgets;
}

function walletBudgetOf(value: unknown): WalletBudget {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused('each of the array must be an object');
  const { type, currency, max_amount: amount, period, ...others } = value as Readonly<Record<string, unknown>>;
  if (type !== 'wallet_budget') throw refused('the only type is wallet_budget');
  if (Object.keys(others).length > 0) throw refused('wallet_budget has the fields type, currency, max_amount and period, and no others');
  if (currency !== 'SAT') throw refused('currency must be SAT; payments in dollars count with what they cost in satoshis');
  if (typeof amount !== 'number' || !isLimit(amount)) throw refused(`max_amount must be a whole number, 1 to ${MAX_LIMIT_SATS}`);
  if (!isPeriod(period)) throw refused('period must be day, week, month or year');
  return { type, currency, max_amount: amount, period };
}

const isPeriod = (value: unknown): value is keyof typeof WINDOWS => typeof value === 'string' && Object.hasOwn(WINDOWS, value);
