export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.module.js';
export { invalidWindows, isLimit, MAX_LIMIT_SATS } from './limit.js';
export { overtakenNotice } from './overtaken.view.js';
export { basedOn, limitTexts, ofEachWindow, overtakenLimits, type EnteredLimit, type LimitTexts } from './shown-limits.js';
export { LIMIT_RANGE, limitTyped, WINDOW_NAMES, WINDOW_UNKNOWN, windowLimitTyped, windowTyped, type WindowLimit } from './typed-limit.js';
export { SpendingBoundEntity } from './spending-bound.entity.js';
export {
  BUDGET_WINDOWS,
  BudgetService,
  type Budget,
  type BudgetLimits,
  type BudgetOwner,
  type BudgetState,
  type BudgetWindow,
} from './budget.service.js';
