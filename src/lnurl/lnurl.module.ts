import { Module } from '@nestjs/common';
import { InvoiceModule } from '../invoice/index.js';
import { WalletModule } from '../wallet/index.js';
import { LnurlController } from './lnurl.controller.js';
import { PayOfferService } from './pay-offer.service.js';

/** Lightning addresses. */
@Module({
  controllers: [LnurlController],
  imports: [InvoiceModule, WalletModule],
  providers: [PayOfferService],
  exports: [PayOfferService],
})
export class LnurlModule {}
