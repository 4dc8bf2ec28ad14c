import { Injectable } from '@nestjs/common';
import { Log } from '../../../platform/logging/index.js';
import { Loops } from '../../../platform/loop/index.js';
import { InvoiceLookup } from './invoice-lookup.service.js';
import { SettlementStreamService } from './settlement-stream.service.js';
import { SettlementStore, type OpenInvoicePosition } from './settlement.store.js';

const MAX_LOOK_UPS_PER_SECOND = 100;
/** How long after the node's answer that an invoice cannot be paid any more it is deleted, if another caller than its recipient created it. */
const FORGET_AFTER_SECONDS = 60;
const ROUND_MS = 1_000;
const MAX_ROUND_MS = 60_000;
const CURSOR_CHECK_MS = 60_000;
const MAX_FORGOTTEN = 1_000;
const FIRST: OpenInvoicePosition = { expiresAt: new Date(0), paymentHash: '' };

/**
 * Looks up invoices whose settlement the stream may have missed: each unpaid one once after its expiry, and all open ones after a gap (a
 * start, a broken stream, a restarted index), at most `MAX_LOOK_UPS_PER_SECOND`. Then deletes unpaid invoices: those
 * that other callers than the owner created at once, the owner's after thirty days.
 */
@Injectable()
export class InvoiceSweep {
  private readonly log = new Log(InvoiceSweep.name);
  private gapsSeen = 0;
  private walk: OpenInvoicePosition | undefined;
  private checkedAt = -Infinity;

  constructor(
    private readonly store: SettlementStore,
    private readonly stream: SettlementStreamService,
    private readonly lookup: InvoiceLookup,
    loops: Loops,
  ) {
    loops.run({
      name: 'invoice_sweep',
      pauseMs: ROUND_MS,
      limitMs: MAX_ROUND_MS,
      round: (signal) => this.sweep(this.lookup.nodeId, signal),
      onFailure: ({ message }) => this.log.warn('invoice_lookup_unavailable', {}, `Invoices could not be looked up: ${message}`),
    });
  }

  private async sweep(nodeId: string, signal: AbortSignal): Promise<void> {
    // Without a stream the node is unreachable, and would answer no look-up.
    if (this.stream.heardMs === 0) return;
    await this.checkForRestart(nodeId, signal);
    const limit = MAX_LOOK_UPS_PER_SECOND;
    const due = await this.store.claimDue(nodeId, limit);
    await this.lookup.look(due, signal);
    if (this.stream.gaps !== this.gapsSeen) {
      this.gapsSeen = this.stream.gaps;
      this.walk = FIRST;
    }
    // A stream that has run this long has delivered every settlement from before the look-ups that closed these invoices.
    if (this.stream.heardMs >= FORGET_AFTER_SECONDS * 1000) await this.store.forget(nodeId, FORGET_AFTER_SECONDS, MAX_FORGOTTEN);
    if (this.walk !== undefined && due.length < limit) this.walk = await this.lookUpNextPage(this.walk, limit - due.length, signal);
  }

  /** Checks whether the node's index has restarted, or a failover has lost settlements: the stream may not show it. */
  private async checkForRestart(nodeId: string, signal: AbortSignal): Promise<void> {
    const { booked } = this.stream;
    const cursor = await this.store.cursorOf(nodeId);
    this.stream.restartIfLost(booked, cursor);
    this.stream.restartIfNewEpoch(cursor.epoch);
    if (performance.now() - this.checkedAt < CURSOR_CHECK_MS) return;
    this.checkedAt = performance.now();
    await this.stream.checkCursor(nodeId, cursor, signal);
  }

  private async lookUpNextPage(after: OpenInvoicePosition, limit: number, signal: AbortSignal): Promise<OpenInvoicePosition | undefined> {
    const page = await this.store.listOpen(this.lookup.nodeId, after, limit);
    const hashes = page.map(({ paymentHash }) => paymentHash);
    await this.lookup.look(hashes, signal);
    return page.length < limit ? undefined : page.at(-1);
  }
}
