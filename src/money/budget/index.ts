export { BudgetEntity, SpendingBoundEntity } from './budget.entity.js';
export { BudgetModule } from './budget.service.js';
