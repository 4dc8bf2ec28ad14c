import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import { UserModule } from '../user/index.js';
import { WalletModule } from '../wallet/index.js';
import { AccountTransactionsResolver, BtcWalletTransactionsResolver, UsdWalletTransactionsResolver } from './history.resolver.js';
import { HistoryService } from './history.service.js';
import { TransactionResolver } from './transaction.resolver.js';
import { UpdatesPayloadResolver, UpdatesResolver } from './updates.resolver.js';

/** The history of wallets, and its live updates. */
@Module({
  imports: [PriceModule, UserModule, WalletModule],
  providers: [
    HistoryService,
    AccountTransactionsResolver,
    BtcWalletTransactionsResolver,
    TransactionResolver,
    UpdatesPayloadResolver,
    UpdatesResolver,
    UsdWalletTransactionsResolver,
  ],
  exports: [HistoryService],
})
export class TransactionModule {}
