export { BudgetAskEntity } from './budget-ask.entity.js';
export { BudgetEntity } from './budget.entity.js';
export { BudgetModule } from './budget.service.js';
