import { Module } from '@nestjs/common';
import { SessionModule } from '../../access/session/index.js';
import { UserModule } from '../../access/user/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { TransactionModule } from '../transaction/index.js';
import { AccountDeletionResolver } from './account-deletion.resolver.js';
import { AccountDeletionService } from './account-deletion.service.js';
import { DataExportService } from './data-export.service.js';
import { DeletedAccountJob } from './deleted-account.job.js';

@Module({
  imports: [InvoiceModule, SessionModule, TransactionModule, UserModule],
  providers: [AccountDeletionResolver, AccountDeletionService, DataExportService, DeletedAccountJob],
  exports: [AccountDeletionService, DataExportService],
})
export class PersonalDataModule {}
