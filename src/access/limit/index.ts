// Spending limits as people type and see them, and the port through which credentials set them. They are applied in `budget`.
export {
  appBudget,
  asks,
  ASKS_NEVER,
  BUDGET_WINDOWS,
  budgetIdsOf,
  isAskAmount,
  isLimit,
  isLimitsChange,
  MAX_LIMIT_SATS,
  type AskAbove,
  type Budget,
  type BudgetLimits,
  type BudgetOwner,
  type BudgetState,
  type BudgetWindow,
  type LimitInForce,
  type LimitsChange,
} from './limit.js';
export { SpendingLimits } from './limit.js';
export {
  ADDED_LIMIT_RANGE,
  LIMIT_RANGE,
  limitTyped,
  WINDOW_NAMES,
  windowLimitField,
  windowLimitTyped,
  windowTyped,
  type WindowLimit,
} from './limit-field.js';
