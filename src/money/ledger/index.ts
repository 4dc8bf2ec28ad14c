export {
  LedgerAccountEntity,
  LedgerAuditMarkEntity,
  LedgerAuditTotalEntity,
  LedgerEntryEntity,
  LedgerHoldEntity,
  LedgerJournalEntity,
  SystemAccount,
} from './ledger.entity.js';
export { LedgerEvidenceService, type CustomerEntry, type HoldEvidence, type JournalEvidence } from './ledger-evidence.service.js';
export { LedgerModule } from './ledger.module.js';
export { JOURNALS_OF_BLOCK, LedgerService, type AuditFinding, type DealerPosition } from './ledger.service.js';
