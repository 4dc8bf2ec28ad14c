import { Module } from '@nestjs/common';
import { PriceModule } from '../price/index.js';
import {
  AccountLimitResolver,
  AccountResolver,
  DefaultWalletResolver,
  UserAccountResolver,
  AccountSettingsResolver,
  WalletResolver,
} from './account.resolver.js';
import { AccountLimitsService } from './account-limits.service.js';
import { AccountService } from './account.service.js';

@Module({
  imports: [PriceModule],
  providers: [
    AccountLimitResolver,
    AccountLimitsService,
    AccountService,
    AccountResolver,
    AccountSettingsResolver,
    DefaultWalletResolver,
    WalletResolver,
    UserAccountResolver,
  ],
  exports: [AccountLimitsService, AccountService],
})
export class WalletModule {}
