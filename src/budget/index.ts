export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.module.js';
export { BUDGET_WINDOWS, BudgetService, type Budget, type BudgetLimits, type BudgetState, type BudgetWindow } from './budget.service.js';
