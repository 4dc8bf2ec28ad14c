import { Injectable, Logger } from '@nestjs/common';
import { PROGRAM } from '../config/index.js';
import { LightningNode } from '../lightning/index.js';
import { ReconcileStore } from './reconcile.store.js';

/** What is known of the node's payment index now. `steady`: it was read, and what was noted of it is true. */
export type IndexState = 'steady' | 'unsupported' | 'unknown';

/**
 * Watches whether the node's count of payments goes back: then it was restored from an older copy or its records were deleted, and that it
 * does not know a payment says nothing about whether it was made.
 */
@Injectable()
export class NodeIndex {
  private readonly log = new Logger(NodeIndex.name);

  constructor(
    private readonly lightning: LightningNode,
    private readonly store: ReconcileStore,
  ) {}

  /** Reads the index and notes it. The mark is read first: whatever the node says after that and is smaller has gone back. */
  async look(): Promise<IndexState> {
    const { nodeId } = this.lightning;
    const before = await this.store.nodeMark(nodeId);
    const index = await this.lightning.latestPaymentIndex();
    if (typeof index === 'string') return index;
    if (index === before) return 'steady';
    if (before !== undefined && index < before)
      this.log.error(
        `The payment index of node ${nodeId} went back from ${before} to ${index}: it was restored from an older copy, or its records were deleted. ` +
          `Payments that were sent to it before now and that it does not know stay held: end each with "${PROGRAM} payment resolve"`,
      );
    await this.store.setNodeMark(nodeId, index, before);
    return 'steady';
  }
}
