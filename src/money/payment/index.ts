export { ApprovalService } from './begin/approval.service.js';
export { PaymentApprovalEntity } from './payment-approval.entity.js';
export { ExchangeService, type Exchange } from './operator/exchange.service.js';
export { FeeProbeService } from './probe/fee-probe.service.js';
export { NodePaymentEntity, type PaymentState } from './payment.entity.js';
export { PaymentFreezeService, type PaymentFreezeRow } from './begin/payment-freeze.service.js';
export * from './operator/operator-payment.service.js';
export {
  OperatorPayoutService,
  type BumpOutcome,
  type CancelOutcome,
  type OperatorPayoutRow,
  type PayoutReport,
} from './operator/operator-payout.service.js';
export type { OperatorPaymentRow } from './operator/operator-payment.row.js';
export type { NodeEvidence, NextStep } from './operator/payment-forecast.js';
export { PaymentIndexService } from './end/payment-lookup.service.js';
export { PaymentModule } from './payment.module.js';
export type { FeeProbeOutcome, PaymentOutcome, SendFailure } from './payment.outcome.js';
export { REFUSALS, type PaymentRefusal } from './payment.refusals.js';
export type { PaymentSendRow } from './payment.payload.js';
export { PaymentPolicy, type PaymentIntent } from './begin/payment-policy.js';
export { PaymentService, type Payer } from './begin/payment.service.js';
export type { PaymentOrder } from './rails/order.js';
export { SettlementReturnService, type SettlementReturnOutcome } from './operator/settlement-return.service.js';
export type { Initiator } from './payment.store.js';
export { PaymentSettings } from './payment.settings.js';
export type { PayoutState } from './payout/payout.entity.js';
export { PAYOUT_SPEEDS, PayoutSettings, SPEEDS, type PayoutSpeed } from './payout/payout.settings.js';
export { PayoutProgressService, type PayoutProgress } from './payout/payout-progress.service.js';
export { OnChainRail, type OnChainOrder } from './rails/onchain.js';
