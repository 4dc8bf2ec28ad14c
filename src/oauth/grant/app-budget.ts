import type { BudgetOwner } from '../../limit/index.js';

/** The budget of an app for one person, whatever grants it has: a new sign-in through the app is a new grant. `budgets_of` (budget.sql) has the same. */
export const budgetOf = (userId: string, clientId: string): BudgetOwner => ({ id: `${clientId}:${userId}`, userId });
