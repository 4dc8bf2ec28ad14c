import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import {
  AccountLimitResolver,
  AccountLimitsResolver,
  AccountResolver,
  DefaultWalletResolver,
  UserAccountResolver,
  AccountSettingsResolver,
  BtcWalletResolver,
  UsdWalletResolver,
} from './account.resolver.js';
import { AccountLimitsService } from './account-limits.service.js';
import { AccountService } from './account.service.js';

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
