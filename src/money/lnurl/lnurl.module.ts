import { Module } from '@nestjs/common';
import { InvoiceModule } from '../invoice/index.js';
import { WalletModule } from '../wallet/index.js';
import { LnurlInvoiceService } from './lnurl-client.js';
import { LnurlController } from './lnurl.controller.js';
import { PayOfferService } from './pay-offer.service.js';

@Module({
  controllers: [LnurlController],
  imports: [InvoiceModule, WalletModule],
  providers: [LnurlInvoiceService, PayOfferService],
  exports: [LnurlInvoiceService, PayOfferService],
})
export class LnurlModule {}
