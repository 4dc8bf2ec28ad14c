export { LedgerAccountEntity, LedgerEntryEntity, LedgerHoldEntity, LedgerJournalEntity } from './ledger.entity.js';
export type { CaptureOperation, HoldOperation, LedgerLeg, LedgerOperation, PostOperation, VoidOperation } from './ledger.input.js';
export { LedgerModule } from './ledger.module.js';
export type { AuditFinding, LedgerBalance, LedgerResult } from './ledger.outcome.js';
export { LedgerService } from './ledger.service.js';
export { LedgerCurrency, SystemAccount } from './system-account.js';
