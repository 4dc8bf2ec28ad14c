export { SystemAccount } from './system-account.js';
export { LedgerModule } from './ledger.module.js';
export {
  JOURNALS_OF_BLOCK,
  LedgerService,
  type AuditFinding,
  type DealerPosition,
  type HoldEvidence,
  type JournalEvidence,
} from './ledger.service.js';
