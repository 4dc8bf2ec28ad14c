import { Injectable } from '@nestjs/common';
import { LightningNode } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import { ReconcileStore } from './reconcile.store.js';

/** State of the node's payment index. `steady`: this process has read it, and the stored mark is up to date. */
export type PaymentIndexState = 'steady' | 'unsupported' | 'unknown';

export type PaymentIndexListener = (nodeId: string, before: bigint, index: bigint) => Promise<void>;

/**
 * Detects that the node's payment index has gone down: then the node was restored from an older copy or its records were deleted, and its
 * `not_found` does not prove that it never made a payment.
 */
@Injectable()
export class PaymentIndexService {
  private readonly log = new Log(PaymentIndexService.name);
  private readonly listeners: PaymentIndexListener[] = [];

  constructor(
    private readonly lightning: LightningNode,
    private readonly store: ReconcileStore,
  ) {}

  /** Awaits `listener` before the smaller index is stored: after a crash in between it is detected again. */
  onWentBack(listener: PaymentIndexListener): void {
    this.listeners.push(listener);
  }

  /** Reads the index and stores it. The stored mark is read first, so that a smaller index read after it has gone down. */
  async refresh(): Promise<PaymentIndexState> {
    const { nodeId } = this.lightning;
    if (nodeId === '') return 'unknown';
    const before = await this.store.nodeMark(nodeId);
    const index = await this.lightning.latestPaymentIndex();
    if (typeof index === 'string') return index;
    if (index === before) return 'steady';
    if (before !== undefined && index < before) {
      this.log.error(
        'payment_index_went_back',
        { nodeId, before: String(before), index: String(index) },
        `Payment index of node ${nodeId} went back from ${before} to ${index}; payments that it does not know stay held`,
      );
      for (const listener of this.listeners) await listener(nodeId, before, index);
    }
    return (await this.store.setNodeMark(nodeId, index, before)) ? 'steady' : 'unknown';
  }
}
