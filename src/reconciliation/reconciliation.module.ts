import { Module } from '@nestjs/common';
import { PaymentModule } from '../payment/index.js';
import { NodePaymentCleanupJob } from './node-payment-cleanup.job.js';
import { ReconciliationService } from './reconciliation.service.js';
import { ReconciliationStore } from './reconciliation.store.js';
import { ReconciliationWatch } from './reconciliation.watch.js';

/** The payments of the node beside those of the ledger. */
@Module({
  imports: [PaymentModule],
  providers: [NodePaymentCleanupJob, ReconciliationService, ReconciliationStore, ReconciliationWatch],
  exports: [ReconciliationService],
})
export class ReconciliationModule {}
