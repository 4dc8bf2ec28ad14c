import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Lane } from '../database/index.js';
import { LightningNode, type InvoiceSettlement } from '../lightning/index.js';
import { SettlementBook } from './settlement-book.service.js';
import { SettlementStore, type SettlementCursor } from './settlement.store.js';

const BATCH = 128;
/** So many settlements wait to be booked at most; then the stream waits. */
const MOST_WAITING = 1_024;
const RETRY_MS = 500;
const MAX_INDEX = 2n ** 63n - 1n;

/**
 * Listens to the node for payments of our invoices and has them booked, once each however often and by however many processes it is
 * heard. The cursor is only where to begin to read.
 */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SettlementService.name);
  private readonly stopping = new AbortController();
  private listening: Promise<void> = Promise.resolve();
  private stream: { readonly epoch: number; readonly since: number; again(): void } | undefined;
  private begun = 0;

  constructor(
    private readonly store: SettlementStore,
    private readonly settlements: SettlementBook,
    private readonly lightning: LightningNode,
  ) {}

  onApplicationBootstrap(): void {
    this.listening = this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.listening;
  }

  /** How often the stream was begun: before each time, settlements may have been missed. */
  get gaps(): number {
    return this.begun;
  }

  /** For how long the stream has been heard without a break; 0 while it is not heard. */
  get heardMs(): number {
    return this.stream ? performance.now() - this.stream.since : 0;
  }

  /** The node's index has begun again, here or in another process: a stream of an earlier epoch is begun anew. */
  heedEpoch(epoch: number): void {
    if (this.stream && this.stream.epoch !== epoch) this.stream.again();
  }

  /**
   * Does the node still have what it told last? Where it does not, its index has begun again, and the stream would not tell of what stands
   * below the cursor.
   */
  async checkCursor(nodeId: string, cursor: SettlementCursor): Promise<void> {
    if (cursor.settleHash === null) return;
    const state = await this.lightning.lookupInvoice(cursor.settleHash);
    if (state.status === 'unknown' || (state.status === 'settled' && state.settleIndex >= cursor.settleIndex)) return;
    await this.settlements.restart(
      nodeId,
      cursor.epoch,
      `settlement ${cursor.settleIndex} (${cursor.settleHash}), which it told last, is ${state.status === 'settled' ? `number ${state.settleIndex}` : state.status} now`,
    );
  }

  private async listen(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        const node = await this.lightning.info();
        if (node.status === 'ready') await this.follow(node.nodeId);
      } catch (error) {
        this.log.warn(`Settlements cannot be booked now: ${(error as Error).message}`);
      }
      this.stream = undefined;
      await sleep(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** From the cursor on, until the node is lost. What arrives while one batch is booked travels in the next. */
  private async follow(nodeId: string): Promise<void> {
    await this.checkCursor(nodeId, await this.store.cursorOf(nodeId));
    const { settleIndex, epoch } = await this.store.cursorOf(nodeId);
    const lost = new AbortController();
    let failure: Error | undefined;
    const lane = new Lane<InvoiceSettlement, void>(
      async (batch) => {
        // The order must hold: once one batch has failed, nothing behind it may move the cursor past it.
        if (failure) throw failure;
        try {
          const booked = await this.settlements.book(nodeId, epoch, batch);
          if (booked.epoch !== epoch) lost.abort();
          const locked = booked.codes.indexOf('locked');
          if (locked >= 0)
            throw new Error(
              `the wallet or the invoice of ${batch[locked]?.paymentHash} is locked by another session, the others are booked: end that session`,
            );
          return batch.map(() => undefined);
        } catch (error) {
          failure = error as Error;
          lost.abort();
          throw error;
        }
      },
      { max: BATCH },
    );
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    this.stream = { epoch, since: performance.now(), again: () => lost.abort() };
    this.begun++;
    let waiting = 0;
    for await (const settlement of this.lightning.invoiceSettlements(settleIndex, signal)) {
      if (!this.isWellFormed(settlement)) continue;
      waiting++;
      const booked = lane.submit(settlement).then(
        () => waiting--,
        () => waiting--,
      );
      if (waiting >= MOST_WAITING) await booked;
    }
    if (failure) throw failure;
  }

  /** What no statement takes would end every batch that it travels in, at every new beginning. */
  private isWellFormed({ settleIndex, paymentHash, amountMsat }: InvoiceSettlement): boolean {
    if (/^[0-9a-f]{64}$/.test(paymentHash) && settleIndex > 0n && settleIndex <= MAX_INDEX) return true;
    this.log.error(
      `The node told of a settlement that cannot be read, and nothing was credited: index ${settleIndex}, hash ${JSON.stringify(paymentHash)}, ${amountMsat} msat. Look at the node's own list`,
    );
    return false;
  }
}
