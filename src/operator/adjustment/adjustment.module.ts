import { Module } from '@nestjs/common';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { PriceModule } from '../../money/price/index.js';
import { AdjustmentService } from './adjustment.service.js';

@Module({ imports: [OperatorActionModule, PriceModule], providers: [AdjustmentService], exports: [AdjustmentService] })
export class AdjustmentModule {}
