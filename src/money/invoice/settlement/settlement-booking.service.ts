import { Injectable } from '@nestjs/common';
import { ForeignLocks, isLockTimeout } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { ThrottledReport } from '../../../platform/kernel/throttled-report.js';
import { Log } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import {
  SettlementStore,
  type BookingResult,
  type SettlementCode,
  type SettlementToBook,
  type StreamPosition,
} from './settlement.store.js';

@Injectable()
export class SettlementBookingService {
  private readonly log = new Log(SettlementBookingService.name);
  private readonly settled;
  private readonly locked = new ThrottledReport((hashes) =>
    this.log.warn(
      'settlement_locked',
      { paymentHashes: hashes },
      `Settlement of ${hashes}: the wallet or the invoice is locked by another session; credited when that session ends its transaction`,
    ),
  );
  private readonly foreign = new ForeignLocks();
  private readonly restarts;

  constructor(
    private readonly store: SettlementStore,
    private readonly events: Events,
    metrics: Metrics,
  ) {
    this.settled = metrics.counter('sluice_settlements_total', 'Settlements that the node reported, by result', ['outcome']);
    this.restarts = metrics.counter(
      'sluice_settlement_index_restarts_total',
      "How often this process found that the node's settle index had restarted",
    );
  }

  async book(nodeId: string, position: StreamPosition | null, settlements: readonly SettlementToBook[]): Promise<BookingResult> {
    return this.recordResults(nodeId, settlements, await this.bookWithFallback(nodeId, position, settlements));
  }

  /** Retries locked settlements, without waiting for locks and without moving the cursor. */
  async bookFree(nodeId: string, settlements: readonly SettlementToBook[]): Promise<BookingResult> {
    return this.recordResults(nodeId, settlements, await this.store.bookFree(nodeId, null, settlements));
  }

  private recordResults(nodeId: string, settlements: readonly SettlementToBook[], booked: BookingResult): BookingResult {
    this.events.poll();
    booked.codes.forEach((code, index) => {
      this.settled.inc({ outcome: code });
      this.logResult(code, settlements[index]);
    });
    settlements.forEach(({ paymentHash }, index) => {
      if (booked.codes[index] !== 'locked') this.foreign.gone(paymentHash);
      else if (this.foreign.found(paymentHash)) this.locked.add(paymentHash);
    });
    if (booked.wentBack) this.logIndexRestart(nodeId, 'a new settlement has an index that was read before');
    return booked;
  }

  /** One locked row must not delay every recipient: after a lock timeout the batch is booked again without what is locked. */
  private async bookWithFallback(
    nodeId: string,
    position: StreamPosition | null,
    settlements: readonly SettlementToBook[],
  ): Promise<BookingResult> {
    // After a lock timeout, bookings of this process leave out what is locked for a while.
    if (!this.foreign.areLikely) {
      try {
        return await this.store.book(nodeId, position, settlements);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        this.foreign.timedOut();
      }
    }
    return this.store.bookFree(nodeId, position, settlements);
  }

  /** The node no longer has the settlement at the cursor: Sluice reads all settlements from the start. */
  async restart(nodeId: string, epoch: number, because: string): Promise<void> {
    if (await this.store.restart(nodeId, epoch)) this.logIndexRestart(nodeId, because);
  }

  private logIndexRestart(nodeId: string, because: string): void {
    this.restarts.inc();
    this.log.error(
      'settlement_index_restarted',
      { nodeId },
      `Settle index of node ${nodeId} restarted: ${because}. All its settlements are read again, and each is credited once`,
    );
  }

  private logResult(code: SettlementCode, settlement: SettlementToBook | undefined): void {
    if (!settlement) return;
    const { paymentHash, settleIndex, amountMsat } = settlement;
    const fields = { paymentHash, settleIndex: String(settleIndex), amountMsat: String(amountMsat) };
    if (code === 'refused')
      this.log.error(
        'settlement_rejected',
        fields,
        `Settlement of ${amountMsat} msat for invoice ${paymentHash} rejected; nothing credited`,
      );
    if (code === 'credited_again')
      this.log.warn('settlement_paid_twice', fields, `Invoice ${paymentHash} was paid internally and over Lightning; both credited`);
    if (code === 'unclaimed')
      this.log.error(
        'settlement_unclaimed',
        fields,
        `Received ${amountMsat} msat for unknown invoice ${paymentHash}; booked to the unclaimed account`,
      );
  }
}
