import { Injectable } from '@nestjs/common';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import type { FailedPayment } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import { PaymentIndexService, type PaymentIndexState } from './payment-index.service.js';
import { PaymentFinisher } from './payment.finisher.js';
import { ReconcileStore, type DuePayment } from './reconcile.store.js';

/** Decides about payments that the node never reported in flight: not sent, lost on their way, or lost from the node's records. */
@Injectable()
export class NotFoundReconciler {
  private readonly log = new Log(NotFoundReconciler.name);

  constructor(
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly index: PaymentIndexService,
  ) {}

  /** @param nodeStatus the node's status of the hash: `not_found`, or `failed`, which may be about an earlier attempt */
  async decide({ id, paymentHash }: DuePayment, nodeStatus: FailedPayment | { status: 'not_found' }, signal: AbortSignal): Promise<void> {
    const verdict = await this.store.notFound(id, nodeStatus.status);
    if (verdict === 'unsent') await this.finisher.finish({ id, paymentHash }, { status: 'unsent', reason: 'never_sent' });
    if (verdict === 'failed' && nodeStatus.status === 'failed') await this.finisher.finish({ id, paymentHash }, nodeStatus);
    if (verdict !== 'lost') return;
    const index = await this.refreshIndex(signal);
    if (index === 'unknown') return;
    const end = index === 'steady' ? await this.finisher.finish({ id, paymentHash }, { status: 'lost', reason: 'not_found' }) : 'refused';
    if (end === 'refused')
      this.log.error(
        'payment_not_found',
        { paymentId: id },
        `Payment ${id}: sent, but the node does not know it and may have lost its records; the money stays held`,
      );
  }

  /** Reads the node's payment index. Called often, to detect a restored node before its index has passed the stored mark again. */
  async refreshIndex(signal: AbortSignal): Promise<PaymentIndexState> {
    return (await unlessAborted(this.index.refresh(), signal)) ?? 'unknown';
  }
}
