import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../access/api-key/index.js';
import { InvoiceModule, InvoiceService } from '../money/invoice/index.js';
import { PaymentModule, PaymentService } from '../money/payment/index.js';
import { PriceModule, PriceService } from '../money/price/index.js';
import { HistoryService, TransactionModule } from '../money/transaction/index.js';
import { SessionModule, SessionOpener } from '../access/session/index.js';
import { UserModule, UserService } from '../access/user/index.js';
import { AccountService, WalletModule } from '../money/wallet/index.js';

const SERVICES = [ApiKeyModule, InvoiceModule, PaymentModule, PriceModule, SessionModule, TransactionModule, UserModule, WalletModule];

export const CORE_SERVICES = [AccountService, HistoryService, InvoiceService, PaymentService, PriceService, SessionOpener, UserService];

/** Import it into an extension's module to inject the services of the public surface. */
@Module({ imports: SERVICES, exports: SERVICES })
export class CoreModule {}
