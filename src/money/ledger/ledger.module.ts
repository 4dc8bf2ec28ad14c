import { Module } from '@nestjs/common';
import { LedgerService } from './ledger.service.js';
import { LedgerAuditJob } from './ledger-audit.job.js';
import { LedgerWatch } from './ledger.watch.js';

@Module({ providers: [LedgerService, LedgerAuditJob, LedgerWatch], exports: [LedgerService] })
export class LedgerModule {}
