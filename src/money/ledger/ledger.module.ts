import { Module } from '@nestjs/common';
import { LedgerService } from './ledger.service.js';
import { LedgerAuditJob } from './ledger-audit.job.js';
import { LedgerEvidenceService } from './ledger-evidence.service.js';
import { LedgerWatch } from './ledger.watch.js';

@Module({ providers: [LedgerService, LedgerAuditJob, LedgerEvidenceService, LedgerWatch], exports: [LedgerService, LedgerEvidenceService] })
export class LedgerModule {}
