export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.service.js';
