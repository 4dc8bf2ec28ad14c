import { Module } from '@nestjs/common';
import { LedgerModule } from '../../money/ledger/index.js';
import { PaymentModule, PayoutSender } from '../../money/payment/index.js';
import { PriceModule } from '../../money/price/index.js';
import { DealerReportService } from './dealer-report.service.js';
import { OnChainReportService } from './onchain-report.service.js';
import { ReconciliationService } from './reconciliation.service.js';
import { ReconciliationWatch } from './reconciliation.watch.js';

@Module({
  imports: [LedgerModule, PaymentModule, PriceModule],
  providers: [DealerReportService, OnChainReportService, ReconciliationService, ReconciliationWatch],
  exports: [ReconciliationService],
})
export class ReconciliationModule {
  constructor(reconciliation: ReconciliationService, payouts: PayoutSender) {
    payouts.sendOnlyIf(() => reconciliation.mayPayOut());
  }
}
