import { Module } from '@nestjs/common';
import { LedgerService } from './ledger.service.js';
import { LedgerAuditJob } from './ledger-audit.job.js';

/** Double entry in PostgreSQL. */
@Module({ providers: [LedgerService, LedgerAuditJob], exports: [LedgerService] })
export class LedgerModule {}
