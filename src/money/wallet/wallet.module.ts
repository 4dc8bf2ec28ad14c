import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import {
  AccountLimitResolver,
  AccountLimitsResolver,
  AccountResolver,
  DefaultWalletResolver,
  UserAccountResolver,
  AccountSettingsResolver,
} from './account.resolver.js';
import { AccountLimitsService } from './account-limits.service.js';
import { AccountService } from './account.service.js';
import { BtcWalletResolver, UsdWalletResolver } from './wallet.resolver.js';

/** Accounts and their wallets. */
@Module({
  imports: [PriceModule],
  providers: [
    AccountLimitResolver,
    AccountLimitsResolver,
    AccountLimitsService,
    AccountService,
    AccountResolver,
    AccountSettingsResolver,
    BtcWalletResolver,
    DefaultWalletResolver,
    UsdWalletResolver,
    UserAccountResolver,
  ],
  exports: [AccountLimitsService, AccountService],
})
export class WalletModule {}
