export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.module.js';
export { BudgetService, type Budget, type BudgetState, type BudgetWindow } from './budget.service.js';
