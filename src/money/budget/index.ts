export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.module.js';
export { SpendingBoundEntity } from './budget.entity.js';
