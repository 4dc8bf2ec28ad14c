export { AdjustmentEntity, type AdjustmentState } from './adjustment.entity.js';
export { AdjustmentModule } from './adjustment.module.js';
export type { AdjustmentOutcome, ProposalOutcome } from './adjustment.outcome.js';
export {
  ADJUSTMENT_HOURS,
  AdjustmentService,
  MAX_LISTED_ADJUSTMENTS,
  MAX_OPEN_ADJUSTMENTS,
  type ActingOperator,
  type AdjustmentRow,
  type NewAdjustment,
} from './adjustment.service.js';
