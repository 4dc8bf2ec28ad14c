import { Injectable } from '@nestjs/common';
import { Batcher } from '../../../platform/database/index.js';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { onAbort } from '../../../platform/kernel/on-abort.js';
import { ThrottledReport } from '../../../platform/kernel/throttled-report.js';
import { retries } from '../../../platform/kernel/retries.js';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { LightningNode, type InvoiceSettlement } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import { Leaders } from '../../../platform/job/index.js';
import { SettlementBookingService } from './settlement-booking.service.js';
import { SettlementStore, type SettlementCode, type SettlementCursor } from './settlement.store.js';

const BATCH = 128;
const MAX_WAITING = 1_024;
/** Settlements that other sessions have locked; beyond this the stream is restarted. */
const MAX_LOCKED = 1_024;
const RETRY_MS = 500;
const MAX_RETRY_MS = 2_000;
const MAX_INDEX = 2n ** 63n - 1n;

/** The node does not answer: its watch logs that. */
class NodeAwayError extends Error {}

/**
 * Reads the node's stream of settlements and books each once, however often and in however many processes it arrives; one process reads it,
 * for economy. The cursor is only the position from which to read.
 */
@Injectable()
export class SettlementStreamService {
  private readonly log = new Log(SettlementStreamService.name);
  private stream: { readonly epoch: number; booked: bigint; readonly since: number; again(): void } | undefined;
  private begun = 0;
  private readonly unavailable = new ThrottledReport((nodeId, because) =>
    this.log.warn(
      'settlement_booking_unavailable',
      { nodeId },
      `Settlements of node ${nodeId} could not be booked; they are read again: ${because}`,
    ),
  );

  constructor(
    private readonly store: SettlementStore,
    private readonly settlements: SettlementBookingService,
    private readonly lightning: LightningNode,
    leaders: Leaders,
  ) {
    leaders.loop({
      name: 'settlements',
      role: 'settlements',
      pauseMs: RETRY_MS,
      maxPauseMs: MAX_RETRY_MS,
      round: (signal) => this.listen(signal),
      onFailure: (error) => {
        if (!(error instanceof NodeAwayError)) this.unavailable.add(this.lightning.nodeId, error.message);
      },
    });
  }

  /** How often the stream was started: before each start, settlements may have been missed. */
  get gaps(): number {
    return this.begun;
  }

  /** How long the stream has run without a break; 0 while there is none. */
  get heardMs(): number {
    return this.stream ? performance.now() - this.stream.since : 0;
  }

  /** Restarts a stream of an earlier epoch: this or another process has found that the node's index has restarted. */
  restartIfNewEpoch(epoch: number | null): void {
    if (this.stream && this.stream.epoch !== epoch) this.stream.again();
  }

  /** Up to where the stream has booked; 0 while there is none. */
  get booked(): bigint {
    return this.stream?.booked ?? 0n;
  }

  /**
   * Restarts a stream that outlived a failover, in which the database has lost what it booked.
   * @param booked before the cursor was read
   */
  restartIfLost(booked: bigint, { settleIndex }: SettlementCursor): void {
    if (settleIndex < booked) this.stream?.again();
  }

  /**
   * Checks that the node still has the settlement at the cursor. If not, its index has restarted, and the stream would not report
   * settlements below the cursor.
   */
  async checkCursor(nodeId: string, cursor: SettlementCursor, signal: AbortSignal): Promise<void> {
    if (cursor.settleHash === null) return;
    const state = await unlessAborted(this.lightning.lookupInvoice(cursor.settleHash), signal);
    if (!state || state.status === 'unknown' || (state.status === 'settled' && state.settleIndex >= cursor.settleIndex)) return;
    await this.settlements.restart(
      nodeId,
      cursor.epoch,
      `its latest settlement ${cursor.settleIndex} (${cursor.settleHash}) is ${state.status === 'settled' ? `number ${state.settleIndex}` : state.status} now`,
    );
  }

  private async listen(signal: AbortSignal): Promise<void> {
    const node = await unlessAborted(this.lightning.info(), signal);
    if (!node) return;
    if (node.status !== 'ready') throw new NodeAwayError('the node does not answer');
    try {
      await this.follow(node.nodeId, signal);
    } finally {
      this.stream = undefined;
    }
  }

  /** Reads from the cursor until the node is lost. Settlements that arrive during a batch are queued for the next batch. */
  private async follow(nodeId: string, stopping: AbortSignal): Promise<void> {
    await this.checkCursor(nodeId, await this.store.cursorOf(nodeId), stopping);
    const { settleIndex, epoch } = await this.store.cursorOf(nodeId);
    const broken = new AbortController();
    const { signal } = broken;
    let failure: Error | undefined;
    const breakOff = (error?: Error): void => {
      failure ??= error;
      broken.abort();
    };
    const ignore = onAbort(stopping, breakOff);
    const stream = { epoch, booked: settleIndex, since: performance.now(), again: () => breakOff() };
    const locked = new Map<string, InvoiceSettlement>();
    const batcher = new Batcher<InvoiceSettlement, void>(async (batch) => {
      // The order matters: after a batch has failed, no later one may move the cursor past it.
      if (failure) throw failure;
      try {
        // Nor past a locked settlement: later ones are booked like the results of look-ups, which do not move the cursor.
        const booked = await this.settlements.book(nodeId, locked.size > 0 ? null : { epoch, settleIndex: stream.booked }, batch);
        if (booked.epoch !== epoch) breakOff();
        const isFirst = locked.size === 0;
        this.keepLocked(locked, batch, booked.codes);
        if (isFirst && locked.size > 0) this.retryLocked(nodeId, locked, signal).catch(breakOff);
        if (isFirst && locked.size === 0) stream.booked = highest(stream.booked, batch);
        return batch.map(() => undefined);
      } catch (error) {
        breakOff(error as Error);
        throw error;
      }
    });
    this.stream = stream;
    this.begun++;
    let waiting = 0;
    try {
      for await (const settlement of this.lightning.invoiceSettlements(settleIndex, signal)) {
        if (!this.isWellFormed(settlement)) continue;
        waiting++;
        const done = (): number => waiting--;
        const booked = batcher.submit(settlement).then(done, done);
        if (waiting >= MAX_WAITING) await booked;
      }
    } finally {
      ignore();
      broken.abort(); // the next stream delivers again what is still locked, and retries it
    }
    if (failure) throw failure;
  }

  private keepLocked(locked: Map<string, InvoiceSettlement>, batch: readonly InvoiceSettlement[], codes: readonly SettlementCode[]): void {
    batch.forEach((settlement, index) => {
      if (codes[index] === 'locked') locked.set(settlement.paymentHash, settlement);
      else locked.delete(settlement.paymentHash);
    });
    if (locked.size > MAX_LOCKED) throw new Error(`${locked.size} settlements are locked by other sessions`);
  }

  /** Retries locked settlements until none is left. Until then the cursor stays below them. */
  private async retryLocked(nodeId: string, locked: Map<string, InvoiceSettlement>, signal: AbortSignal): Promise<void> {
    for await (const _retry of retries(signal)) {
      const batch = [...locked.values()].slice(0, BATCH);
      const { codes } = await this.settlements.bookFree(nodeId, batch);
      this.keepLocked(locked, batch, codes);
      if (locked.size === 0) return;
    }
  }

  /** A settlement that no statement accepts would fail its batch after every restart of the stream. */
  private isWellFormed({ settleIndex, paymentHash, amountMsat }: InvoiceSettlement): boolean {
    if (HEX_32.test(paymentHash) && settleIndex > 0n && settleIndex <= MAX_INDEX) return true;
    this.log.error(
      'settlement_malformed',
      { settleIndex: String(settleIndex), paymentHash, amountMsat: String(amountMsat) },
      `Malformed settlement: index ${settleIndex}, hash ${JSON.stringify(paymentHash)}, ${amountMsat} msat; nothing credited`,
    );
    return false;
  }
}

const highest = (index: bigint, batch: readonly InvoiceSettlement[]): bigint =>
  batch.reduce((most, { settleIndex }) => (settleIndex > most ? settleIndex : most), index);
