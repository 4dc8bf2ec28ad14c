import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/index.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { LightningNode } from '../lightning/index.js';
import { Log } from '../logging/index.js';
import { SettlementBookingService } from './settlement-booking.service.js';
import { SettlementStreamService } from './settlement-stream.service.js';
import { SettlementStore, type LookUpResult, type OpenInvoicePosition, type SettlementToBook } from './settlement.store.js';

const ROUND_MS = 1_000;
/** Interval of the check that the node still has the settlement at the cursor. */
const CURSOR_CHECK_MS = 60_000;
/** Concurrent look-ups. */
const AT_ONCE = 8;
/** Invoices deleted per round. */
const MAX_FORGOTTEN = 1_000;
const FIRST: OpenInvoicePosition = { expiresAt: new Date(0), paymentHash: '' };

/**
 * Looks up invoices whose settlement the stream may have missed: each unpaid one once after its expiry, and all open ones after a gap (a
 * start, a broken stream, a restarted index), at most `INVOICE_LOOK_UPS_PER_SECOND`. Then deletes unpaid invoices that other callers than
 * the owner created.
 */
@Injectable()
export class InvoiceSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log(InvoiceSweep.name);
  private readonly stopping = new AbortController();
  private sweeping: Promise<void> = Promise.resolve();
  private gapsSeen = 0;
  private walk: OpenInvoicePosition | undefined;
  private checkedAt = -Infinity;

  constructor(
    private readonly store: SettlementStore,
    private readonly settlements: SettlementBookingService,
    private readonly stream: SettlementStreamService,
    private readonly lightning: LightningNode,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping = this.sweep();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        // Without a stream the node is unreachable, and would answer no look-up.
        if (this.stream.heardMs > 0) await this.round(this.lightning.nodeId);
      } catch (error) {
        this.log.warn('invoice_lookup_unavailable', {}, `Invoices could not be looked up: ${(error as Error).message}`);
      }
      await sleep(ROUND_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async round(nodeId: string): Promise<void> {
    await this.checkForRestart(nodeId);
    const limit = this.config.invoice.lookUpsPerSecond;
    const due = await this.store.claimDue(nodeId, limit);
    await this.look(nodeId, due);
    if (this.stream.gaps !== this.gapsSeen) {
      this.gapsSeen = this.stream.gaps;
      this.walk = FIRST;
    }
    const { forgetAfterSeconds } = this.config.invoice;
    // A stream that has run this long has delivered every settlement from before the look-ups that closed these invoices.
    if (this.stream.heardMs >= forgetAfterSeconds * 1000)
      this.settlements.countForgotten(await this.store.forget(nodeId, forgetAfterSeconds, MAX_FORGOTTEN));
    if (this.walk !== undefined && due.length < limit) this.walk = await this.lookUpNextPage(nodeId, this.walk, limit - due.length);
  }

  /** Checks whether the node's index has restarted: another process may have detected it, and the stream may not show it. */
  private async checkForRestart(nodeId: string): Promise<void> {
    const cursor = await this.store.cursorOf(nodeId);
    this.stream.restartIfNewEpoch(cursor.epoch);
    if (performance.now() - this.checkedAt < CURSOR_CHECK_MS) return;
    this.checkedAt = performance.now();
    await this.stream.checkCursor(nodeId, cursor);
  }

  /** @returns where to continue; undefined at the end */
  private async lookUpNextPage(nodeId: string, after: OpenInvoicePosition, limit: number): Promise<OpenInvoicePosition | undefined> {
    const page = await this.store.listOpen(nodeId, after, limit);
    await this.look(
      nodeId,
      page.map(({ paymentHash }) => paymentHash),
    );
    return page.length < limit ? undefined : page.at(-1);
  }

  private async look(nodeId: string, hashes: readonly string[]): Promise<void> {
    const settled: SettlementToBook[] = [];
    const answers: LookUpResult[] = [];
    const queue = [...hashes];
    const work = async (): Promise<void> => {
      for (let hash = queue.pop(); hash !== undefined && !this.stopping.signal.aborted; hash = queue.pop()) {
        const state = await unlessAborted(this.lightning.lookupInvoice(hash), this.stopping.signal);
        if (!state) return;
        this.settlements.countLookUp(state.status);
        if (state.status === 'settled') settled.push({ paymentHash: hash, settleIndex: state.settleIndex, amountMsat: state.amountMsat });
        else if (state.status !== 'unknown') answers.push({ paymentHash: hash, answer: state.status === 'open' ? 'open' : 'closed' });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (settled.length > 0) {
      const { codes, epoch } = await this.settlements.book(nodeId, null, settled);
      this.stream.restartIfNewEpoch(epoch);
      codes.forEach((code, index) => {
        const paymentHash = settled[index]?.paymentHash ?? '';
        if (code === 'refused' || code === 'refused_before') answers.push({ paymentHash, answer: 'refused' });
      });
    }
    await this.store.noteLookUps(nodeId, answers);
  }
}
