export { ForgottenInvoiceEntity, InvoiceEntity, SettlementCursorEntity, SettlementReviewEntity } from './invoice.entity.js';
export { InvoiceModule } from './invoice.module.js';
export type { InvoiceCancellation, InvoiceCreation } from './invoice.outcome.js';
export type { InvoiceRow, InvoiceStatus } from './invoice.row.js';
export type { CreateInvoiceParams } from './issue/invoice-issuer.service.js';
export { InvoiceService } from './invoice.service.js';
export { SettlementStore, type ClaimOutcome, type ReturnRefusal, type SettlementToReview } from './settlement/settlement.store.js';
