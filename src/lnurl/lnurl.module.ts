import { Module } from '@nestjs/common';
import { InvoiceModule } from '../invoice/index.js';
import { WalletModule } from '../wallet/index.js';
import { LnurlController } from './lnurl.controller.js';

/** Lightning addresses. */
@Module({ controllers: [LnurlController], imports: [InvoiceModule, WalletModule] })
export class LnurlModule {}
