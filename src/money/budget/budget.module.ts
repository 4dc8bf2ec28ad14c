import { Global, Module } from '@nestjs/common';
import { SpendingLimits } from '../../access/limit/index.js';
import { BudgetService } from './budget.service.js';

/** Provides the limits of credentials. It is global, because `access` may not import `money`. */
@Global()
@Module({ providers: [{ provide: SpendingLimits, useClass: BudgetService }], exports: [SpendingLimits] })
export class BudgetModule {}
