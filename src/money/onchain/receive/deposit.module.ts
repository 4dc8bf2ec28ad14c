import { Module } from '@nestjs/common';
import { LedgerModule } from '../../ledger/index.js';
import { PriceModule } from '../../price/index.js';
import { WalletModule } from '../../wallet/index.js';
import { DepositBooking } from './deposit-booking.service.js';
import { DepositScan } from './deposit-scan.service.js';
import { AccountDepositsResolver, WalletDepositsResolver } from './deposit.resolver.js';
import { DepositService } from './deposit.service.js';
import { DepositStore } from './deposit.store.js';
import { OnChainAddressResolver } from './onchain-address.resolver.js';
import { OnChainAddressService } from './onchain-address.service.js';

/** What wallets receive on-chain. */
@Module({
  imports: [LedgerModule, PriceModule, WalletModule],
  providers: [
    AccountDepositsResolver,
    DepositBooking,
    DepositScan,
    DepositService,
    DepositStore,
    OnChainAddressResolver,
    OnChainAddressService,
    WalletDepositsResolver,
  ],
  exports: [DepositService, DepositStore, OnChainAddressService],
})
export class DepositModule {}
