import type { AuthorizationBudget } from '../../generated/graphql.js';
import type { BudgetWindow, LimitInForce } from '../limit/index.js';

export const sdlBudget = ({ window, limitSats, spentSats, freeAt }: LimitInForce): AuthorizationBudget => ({
  currency: 'SAT',
  window: window.toUpperCase() as Uppercase<BudgetWindow>,
  limit: limitSats,
  spent: spentSats,
  left: Math.max(0, limitSats - spentSats),
  freeAt,
});
