import { Injectable } from '@nestjs/common';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { Log } from '../../../platform/logging/index.js';
import { PaymentFinisher } from '../payment.finisher.js';
import { PaymentRails } from '../rails/rails.js';
import { ReconcileStore, type DuePayment } from '../reconcile.store.js';
import { type FailedPayment, LightningNode } from '../../lightning/index.js';

/** State of the node's payment index. `steady`: this process has read it, and the stored mark is up to date. */
type PaymentIndexState = 'steady' | 'unsupported' | 'unknown';

type PaymentIndexListener = (nodeId: string, before: bigint, index: bigint) => Promise<void>;

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

/** Its dispatcher, which may have died, has some of the lease left. */
export const isBeforeDispatch = ({ dispatchedAt, leaseOver }: DuePayment): boolean => dispatchedAt === null && !leaseOver;

@Injectable()
export class PaymentLookup {
  private readonly log = new Log(PaymentLookup.name);

  constructor(
    private readonly store: ReconcileStore,
    private readonly finisher: PaymentFinisher,
    private readonly rails: PaymentRails,
    private readonly index: PaymentIndexService,
  ) {}

  /** Call it before look-ups: only a recent payment index shows that the node was restored, before its index has passed the stored mark again. */
  async refreshIndex(signal: AbortSignal): Promise<PaymentIndexState> {
    return (await unlessAborted(this.index.refresh(), signal)) ?? 'unknown';
  }

  /**
   * Before its dispatch, a payment is none of the node's: what the node has of its hash is of another program, as the dispatch will find
   * out. `settled` can only be about a payment that was sent. `failed` may be about an earlier attempt, and `not_found` about none, while this
   * payment is still on its way to the node: until the node has reported it in flight, the reconciler accepts neither at once. A payment
   * that the node has reported in flight was sent, whatever the node no longer knows.
   */
  async ask(payment: DuePayment, signal: AbortSignal): Promise<void> {
    const { id, paymentHash, nodeId, seenInFlight: seen, leaseOver } = payment;
    if (isBeforeDispatch(payment)) return;
    const status = await unlessAborted(this.rails.status(payment), signal);
    if (!status || status.status === 'unknown') return;
    if (status.status === 'other_node')
      return this.log.error(
        'payment_node_mismatch',
        { paymentId: id, nodeId },
        `Payment ${id}: sent by node ${nodeId}, which is not connected`,
      );
    if (status.status === 'in_flight') return seen ? undefined : this.store.seen(id);
    if (status.status === 'settled' || (status.status === 'failed' && seen))
      return void (await this.finisher.finish({ id, paymentHash }, status));
    if (seen)
      return this.log.error(
        'payment_forgotten_by_node',
        { paymentId: id },
        `Payment ${id}: the node no longer knows it after reporting it in flight; needs operator resolution`,
      );
    if (leaseOver) await this.decideUnseen(payment, status, signal);
  }

  /**
   * Decides about a payment that the node never reported in flight: not sent, lost on its way, or lost from the node's records.
   * @param nodeStatus the node's status of the hash: `not_found`, or `failed`, which may be about an earlier attempt
   */
  private async decideUnseen(
    { id, paymentHash }: DuePayment,
    nodeStatus: (FailedPayment | { status: 'not_found' }) & { isAnew?: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const verdict = await this.store.notFound(id, nodeStatus.status, nodeStatus.isAnew ?? false);
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
}
