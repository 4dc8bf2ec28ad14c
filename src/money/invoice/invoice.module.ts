import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/index.js';
import { PriceModule } from '../price/index.js';
import { WalletModule } from '../wallet/index.js';
import { WebhookModule } from '../webhook/index.js';
import { InvoiceStatusQueryResolver, InvoiceStatusSubscriptionResolver } from './status/invoice-status.resolver.js';
import { InvoiceStatusService } from './status/invoice-status.service.js';
import { AccountInvoicesResolver, InvoiceResolver, LnInvoiceResolver, WalletInvoicesResolver } from './invoice.resolver.js';
import { InvoiceMutationResolver } from './issue/invoice-mutation.resolver.js';
import { InvoiceIssuer, InvoiceBills } from './issue/invoice-issuer.service.js';
import { InvoiceLookup } from './settlement/invoice-lookup.service.js';
import { InvoiceService } from './invoice.service.js';
import { InvoiceStore } from './invoice.store.js';
import { InvoiceWebhooks } from './status/invoice-webhooks.js';
import { InvoicesForOthers } from './issue/invoices-for-others.service.js';
import { InvoiceSweep } from './settlement/invoice-sweep.service.js';
import { SettlementBookingService } from './settlement/settlement-booking.service.js';
import { SettlementStreamService } from './settlement/settlement-stream.service.js';
import { SettlementStore } from './settlement/settlement.store.js';

@Module({
  imports: [LedgerModule, PriceModule, WalletModule, WebhookModule],
  providers: [
    InvoiceBills,
    InvoiceIssuer,
    InvoiceLookup,
    InvoiceService,
    InvoiceStatusService,
    InvoiceStore,
    InvoiceSweep,
    InvoiceWebhooks,
    InvoicesForOthers,
    SettlementBookingService,
    SettlementStreamService,
    SettlementStore,
    AccountInvoicesResolver,
    InvoiceMutationResolver,
    InvoiceResolver,
    InvoiceStatusQueryResolver,
    InvoiceStatusSubscriptionResolver,
    LnInvoiceResolver,
    WalletInvoicesResolver,
  ],
  exports: [InvoiceService, SettlementStore],
})
export class InvoiceModule {}
