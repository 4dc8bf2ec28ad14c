export { PaymentEntity } from './payment.entity.js';
export { PaymentModule } from './payment.module.js';
export type { PaymentOutcome, PaymentRefusal, SendFailure } from './payment.outcome.js';
export type { PaymentSendRow } from './payment.payload.js';
export { PaymentService, type Payer } from './payment.service.js';
export type { Initiator } from './payment.store.js';
