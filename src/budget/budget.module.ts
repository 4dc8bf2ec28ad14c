import { Module } from '@nestjs/common';
import { BudgetService } from './budget.service.js';

/** What principals may spend, in rolling windows. */
@Module({ providers: [BudgetService], exports: [BudgetService] })
export class BudgetModule {}
