export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.module.js';
export { invalidWindows, isLimit, MAX_LIMIT_SATS } from './limit.js';
export {
  basedOn,
  changedLimits,
  changedLimitText,
  limitsSeen,
  limitTexts,
  ofEachWindow,
  type ChangedLimit,
  type LimitTexts,
} from './shown-limits.js';
export {
  ADDED_LIMIT_RANGE,
  LIMIT_RANGE,
  limitTyped,
  WINDOW_NAMES,
  WINDOW_UNKNOWN,
  windowLimitTyped,
  windowTyped,
  type WindowLimit,
} from './typed-limit.js';
export { SpendingBoundEntity } from './spending-bound.entity.js';
export {
  BUDGET_WINDOWS,
  BudgetService,
  replacementOf,
  type Budget,
  type BudgetLimits,
  type BudgetOwner,
  type BudgetState,
  type BudgetWindow,
  type LimitsChange,
  type LimitsVerdict,
} from './budget.service.js';
