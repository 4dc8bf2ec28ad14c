import { Module } from '@nestjs/common';
import { Readiness } from '../health/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { LedgerModule } from '../ledger/index.js';
import { LnurlModule } from '../lnurl/index.js';
import { OperatorActionModule } from '../operator-action/index.js';
import { PriceModule } from '../price/index.js';
import { TransactionModule } from '../transaction/index.js';
import { WalletModule } from '../wallet/index.js';
import { ExchangeService } from './exchange.service.js';
import { FeeEstimates } from './fee-estimates.js';
import { FeeProbeResolver } from './fee-probe.resolver.js';
import { FeeProbeService } from './fee-probe.service.js';
import { FailedPaymentReconciler } from './failed-payment.reconciler.js';
import { PaymentFreezeService } from './payment-freeze.service.js';
import { PaymentIndexService } from './payment-index.service.js';
import { NotFoundReconciler } from './not-found.reconciler.js';
import { OperatorPaymentService } from './operator-payment.service.js';
import { OperatorPaymentStore } from './operator-payment.store.js';
import { PaymentEvidenceService } from './payment-evidence.service.js';
import { InvoiceCancelJob } from './invoice-cancel.job.js';
import { InvoiceCancelRecoveryJob } from './invoice-cancel-recovery.job.js';
import { LnurlPaymentService } from './lnurl-payment.service.js';
import { NodeWatch } from './node.watch.js';
import { PaymentOutcomeStream } from './payment-outcome-stream.service.js';
import { PaymentFinisher } from './payment.finisher.js';
import { PaymentLookup } from './payment-lookup.service.js';
import { PaymentPolicyCheck } from './payment-policy.js';
import { PaymentReconciler } from './payment.reconciler.js';
import { LnurlPaymentResolver, PaymentResolver, PaymentSendPayloadResolver, UsdPaymentResolver } from './payment.resolver.js';
import { PaymentService } from './payment.service.js';
import { SettlementReturnService } from './settlement-return.service.js';
import { PaymentStore } from './payment.store.js';
import { PaymentOutcomeWaiter } from './payment.waiter.js';
import { IntraLedgerRail } from './rails/intraledger.js';
import { LightningDispatcher } from './rails/lightning.dispatcher.js';
import { LightningQuotes } from './rails/lightning-quote.service.js';
import { LightningRail } from './rails/lightning.js';
import { RailContext } from './rails/rail.js';
import { PaymentRails } from './rails/rails.js';
import { ReconcileStore } from './reconcile.store.js';

/** Payments that wait longer than this to begin are late. */
const LATE_MS = 5_000;

@Module({
  imports: [InvoiceModule, LedgerModule, LnurlModule, OperatorActionModule, PriceModule, TransactionModule, WalletModule],
  providers: [
    ExchangeService,
    FailedPaymentReconciler,
    FeeEstimates,
    FeeProbeResolver,
    FeeProbeService,
    InvoiceCancelJob,
    InvoiceCancelRecoveryJob,
    PaymentFreezeService,
    PaymentIndexService,
    NotFoundReconciler,
    OperatorPaymentService,
    OperatorPaymentStore,
    PaymentEvidenceService,
    ReconcileStore,
    NodeWatch,
    IntraLedgerRail,
    LightningDispatcher,
    LightningQuotes,
    LightningRail,
    PaymentRails,
    {
      provide: RailContext,
      useFactory: (store: ReconcileStore, finisher: PaymentFinisher, cancels: InvoiceCancelJob): RailContext => ({
        claim: (dispatch) => store.dispatch(dispatch),
        seen: (id) => store.seen(id),
        ended: (payment, status) => finisher.end(payment, status),
        cancelOwnInvoice: (invoice, paymentRequest) => cancels.cancel(invoice, paymentRequest),
      }),
      inject: [ReconcileStore, PaymentFinisher, InvoiceCancelJob],
    },
    PaymentPolicyCheck,
    PaymentFinisher,
    PaymentLookup,
    PaymentOutcomeStream,
    PaymentReconciler,
    PaymentService,
    SettlementReturnService,
    PaymentStore,
    PaymentOutcomeWaiter,
    LnurlPaymentResolver,
    LnurlPaymentService,
    PaymentResolver,
    PaymentSendPayloadResolver,
    UsdPaymentResolver,
  ],
  exports: [
    ExchangeService,
    FeeProbeService,
    OperatorPaymentService,
    PaymentFreezeService,
    PaymentIndexService,
    PaymentPolicyCheck,
    PaymentService,
    SettlementReturnService,
  ],
})
export class PaymentModule {
  constructor(readiness: Readiness, payments: PaymentStore) {
    readiness.degradedWhen('payments', () => payments.waitedMs > LATE_MS);
  }
}
