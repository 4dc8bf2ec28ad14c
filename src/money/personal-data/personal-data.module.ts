import { Module } from '@nestjs/common';
import { SessionModule } from '../../access/session/index.js';
import { UserModule } from '../../access/user/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { AccountDeletionResolver } from './account-deletion.resolver.js';
import { AccountDeletionService } from './account-deletion.service.js';
import { DeletedAccountJob } from './deleted-account.job.js';

@Module({
  imports: [InvoiceModule, SessionModule, UserModule],
  providers: [AccountDeletionResolver, AccountDeletionService, DeletedAccountJob],
  exports: [AccountDeletionService],
})
export class PersonalDataModule {}
