import { Module } from '@nestjs/common';
import { InvoiceModule } from '../invoice/index.js';
import { PriceModule } from '../price/index.js';
import { WalletModule } from '../wallet/index.js';
import { PaymentDispatcher } from './payment.dispatcher.js';
import { PaymentFinisher } from './payment.finisher.js';
import { PaymentReconciler } from './payment.reconciler.js';
import { PaymentResolver, PaymentSendPayloadResolver } from './payment.resolver.js';
import { PaymentService } from './payment.service.js';
import { PaymentStore } from './payment.store.js';
import { PaymentWatch } from './payment.watch.js';

@Module({
  imports: [InvoiceModule, PriceModule, WalletModule],
  providers: [
    PaymentDispatcher,
    PaymentFinisher,
    PaymentReconciler,
    PaymentService,
    PaymentStore,
    PaymentWatch,
    PaymentResolver,
    PaymentSendPayloadResolver,
  ],
  exports: [PaymentService],
})
export class PaymentModule {}
