import { Module } from '@nestjs/common';
import { LedgerService } from './ledger.service.js';
import { LedgerWatch } from './ledger.watch.js';

/** Double entry in PostgreSQL. */
@Module({ providers: [LedgerService, LedgerWatch], exports: [LedgerService] })
export class LedgerModule {}
