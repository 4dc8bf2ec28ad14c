import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import { UserModule } from '../user/index.js';
import { AccountResolver, DefaultWalletResolver, UserAccountResolver } from './account.resolver.js';
import { AccountService } from './account.service.js';
import { HistoryService } from './history.service.js';
import { TransactionResolver } from './transaction.resolver.js';
import { UpdatesPayloadResolver, UpdatesResolver } from './updates.resolver.js';
import { BtcWalletResolver, UsdWalletResolver } from './wallet.resolver.js';

@Module({
  imports: [PriceModule, UserModule],
  providers: [
    AccountService,
    HistoryService,
    AccountResolver,
    BtcWalletResolver,
    DefaultWalletResolver,
    TransactionResolver,
    UpdatesPayloadResolver,
    UpdatesResolver,
    UsdWalletResolver,
    UserAccountResolver,
  ],
  exports: [AccountService, HistoryService],
})
export class WalletModule {}
