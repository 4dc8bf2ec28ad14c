import { Module } from '@nestjs/common';
import { Readiness } from '../../edge/health/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { LedgerModule } from '../ledger/index.js';
import { LnurlModule } from '../lnurl/index.js';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { PriceModule } from '../price/index.js';
import { TransactionModule } from '../transaction/index.js';
import { WalletModule } from '../wallet/index.js';
import { DispatcherLife } from './end/dispatcher-life.service.js';
import { ExchangeService } from './operator/exchange.service.js';
import { FeeEstimates } from './probe/fee-estimates.js';
import { FeeProbeResolver } from './probe/fee-probe.resolver.js';
import { FeeProbeService } from './probe/fee-probe.service.js';
import { FailedPaymentReconciler } from './end/failed-payment.reconciler.js';
import { ApprovalService } from './begin/approval.service.js';
import { ApprovalStore } from './approval.store.js';
import { PaymentFreezeService } from './begin/payment-freeze.service.js';
import { PaymentIndexService, PaymentLookup } from './end/payment-lookup.service.js';
import { OperatorPaymentService } from './operator/operator-payment.service.js';
import { OperatorPayoutService } from './operator/operator-payout.service.js';
import { InvoiceCancelJob } from './rails/invoice-cancel.job.js';
import { LnurlPaymentService } from './begin/lnurl-payment.service.js';
import { NodeWatch } from './end/node.watch.js';
import { PaymentNotices } from './end/payment-notices.js';
import { PaymentOutcomeStream } from './end/payment-outcome-stream.service.js';
import { PaymentFinisher } from './payment.finisher.js';
import { PaymentPolicyCheck } from './begin/payment-policy.js';
import { PaymentReconciler } from './end/payment.reconciler.js';
import { PaymentResolver, PaymentSendPayloadResolver } from './payment.resolver.js';
import { PaymentService } from './begin/payment.service.js';
import { SettlementReturnService } from './operator/settlement-return.service.js';
import { PaymentBeginner } from './begin/payment.beginner.js';
import { PaymentStore } from './payment.store.js';
import { PaymentOutcomeWaiter } from './end/payment.waiter.js';
import { IntraLedgerRail } from './rails/intraledger.js';
import { LightningDispatcher } from './rails/lightning.dispatcher.js';
import { LightningQuotes, LightningRail } from './rails/lightning.js';
import { OnChainRail } from './rails/onchain.js';
import { PaymentRails } from './rails/rails.js';
import { OnChainFeeResolver, OnChainPaymentResolver, OnChainSettlementResolver } from './onchain.resolver.js';
import { PayoutEngine } from './payout/payout-engine.js';
import { PayoutFees } from './payout/payout-fees.js';
import { PayoutProgressService } from './payout/payout-progress.service.js';
import { PayoutSender } from './payout/payout-sender.js';
import { PayoutStore } from './payout/payout.store.js';
import { ReconcileStore } from './reconcile.store.js';

const LATE_MS = 5_000;

@Module({
  imports: [InvoiceModule, LedgerModule, LnurlModule, OperatorActionModule, PriceModule, TransactionModule, WalletModule],
  providers: [
    ApprovalService,
    ApprovalStore,
    DispatcherLife,
    ExchangeService,
    FailedPaymentReconciler,
    FeeEstimates,
    FeeProbeResolver,
    FeeProbeService,
    InvoiceCancelJob,
    PaymentFreezeService,
    PaymentIndexService,
    OperatorPaymentService,
    OperatorPayoutService,
    ReconcileStore,
    NodeWatch,
    IntraLedgerRail,
    LightningDispatcher,
    LightningQuotes,
    LightningRail,
    OnChainRail,
    OnChainFeeResolver,
    OnChainPaymentResolver,
    OnChainSettlementResolver,
    PayoutEngine,
    PayoutFees,
    PayoutProgressService,
    PayoutSender,
    PayoutStore,
    PaymentRails,
    PaymentPolicyCheck,
    PaymentFinisher,
    PaymentLookup,
    PaymentNotices,
    PaymentOutcomeStream,
    PaymentReconciler,
    PaymentService,
    SettlementReturnService,
    PaymentBeginner,
    PaymentStore,
    PaymentOutcomeWaiter,
    LnurlPaymentService,
    PaymentResolver,
    PaymentSendPayloadResolver,
  ],
  exports: [
    ApprovalService,
    ExchangeService,
    FeeProbeService,
    OnChainRail,
    OperatorPaymentService,
    OperatorPayoutService,
    PaymentFreezeService,
    PaymentIndexService,
    PaymentService,
    PayoutProgressService,
    PayoutSender,
    SettlementReturnService,
  ],
})
export class PaymentModule {
  constructor(readiness: Readiness, payments: PaymentBeginner) {
    readiness.degradedWhen('payments', () => payments.waitedMs > LATE_MS);
  }
}
