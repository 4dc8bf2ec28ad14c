import { Module } from '@nestjs/common';
import { ApiKeyModule } from './api-key/index.js';
import { InvoiceModule, InvoiceService } from './invoice/index.js';
import { PaymentModule, PaymentService } from './payment/index.js';
import { PriceModule, PriceService } from './price/index.js';
import { HistoryService, TransactionModule } from './transaction/index.js';
import { UserModule, UserService } from './user/index.js';
import { AccountService, WalletModule } from './wallet/index.js';

const SERVICES = [ApiKeyModule, InvoiceModule, PaymentModule, PriceModule, TransactionModule, UserModule, WalletModule];

/** The services that CoreModule exports. */
export const CORE_SERVICES = [AccountService, HistoryService, InvoiceService, PaymentService, PriceService, UserService];

/** Import it into an extension's module to inject the services of the public surface. */
@Module({ imports: SERVICES, exports: SERVICES })
export class CoreModule {}
