export { InvoiceEntity } from './invoice.entity.js';
export { InvoiceModule } from './invoice.module.js';
export { type InvoiceCancellation, type InvoiceCreation, InvoiceService } from './invoice.service.js';
export type { InvoiceRow } from './invoice.row.js';
export type { CreateInvoiceParams, InvoiceAmount, InvoiceIntent } from './issue/invoice-issuer.service.js';
export { SettlementStore, type ClaimOutcome, type NewReturn, type ReturnRefusal } from './settlement/settlement.store.js';
export type { SettlementToReview } from './settlement/settlement.store.js';
