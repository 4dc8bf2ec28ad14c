export {
  AdjustmentModule,
  type AdjustmentOutcome,
  ADJUSTMENT_HOURS,
  AdjustmentService,
  MAX_LISTED_ADJUSTMENTS,
  MAX_OPEN_ADJUSTMENTS,
  type ActingOperator,
  type AdjustmentRow,
} from './adjustment.service.js';
