import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import { UserModule } from '../../access/user/index.js';
import { WalletModule } from '../wallet/index.js';
import { AccountTransactionsResolver, WalletTransactionsResolver } from './history.resolver.js';
import { HistoryFileService } from './history-file.service.js';
import { HistoryService } from './history.service.js';
import { TransactionResolver } from './transaction.resolver.js';
import { UpdatesPayloadResolver, UpdatesResolver } from './updates.resolver.js';

@Module({
  imports: [PriceModule, UserModule, WalletModule],
  providers: [
    HistoryFileService,
    HistoryService,
    AccountTransactionsResolver,
    TransactionResolver,
    UpdatesPayloadResolver,
    UpdatesResolver,
    WalletTransactionsResolver,
  ],
  exports: [HistoryFileService, HistoryService],
})
export class TransactionModule {}
