import { Module } from '@nestjs/common';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { PriceModule } from '../../money/price/index.js';
import { AdjustmentService } from './adjustment.service.js';

/** Changes of balances by two operators. */
@Module({ imports: [OperatorActionModule, PriceModule], providers: [AdjustmentService], exports: [AdjustmentService] })
export class AdjustmentModule {}
