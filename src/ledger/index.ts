export { LedgerAccountEntity, LedgerEntryEntity, LedgerHoldEntity, LedgerJournalEntity } from './ledger.entity.js';
export { LedgerModule } from './ledger.module.js';
export { LedgerService, type AuditFinding } from './ledger.service.js';
export { SystemAccount } from './system-account.js';
