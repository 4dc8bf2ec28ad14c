export { type AdjustmentState } from './adjustment.entity.js';
export {
  AdjustmentModule,
  type AdjustmentOutcome,
  type ProposalOutcome,
  ADJUSTMENT_HOURS,
  AdjustmentService,
  MAX_LISTED_ADJUSTMENTS,
  MAX_OPEN_ADJUSTMENTS,
  type ActingOperator,
  type AdjustmentRow,
  type NewAdjustment,
} from './adjustment.service.js';
