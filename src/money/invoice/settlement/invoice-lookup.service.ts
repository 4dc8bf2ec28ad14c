import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { LightningNode } from '../../lightning/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { SettlementBookingService } from './settlement-booking.service.js';
import { SettlementStreamService } from './settlement-stream.service.js';
import { SettlementStore, type LookUpResult, type SettlementToBook } from './settlement.store.js';

const AT_ONCE = 8;

@Injectable()
export class InvoiceLookup {
  private readonly lookUps: Counter<'answer'>;

  constructor(
    private readonly store: SettlementStore,
    private readonly settlements: SettlementBookingService,
    private readonly stream: SettlementStreamService,
    private readonly lightning: LightningNode,
    metrics: Metrics,
  ) {
    this.lookUps = metrics.counter('sluice_invoice_look_ups_total', 'Invoices that the node was asked about, by its answer', ['answer']);
  }

  get nodeId(): string {
    return this.lightning.nodeId;
  }

  async look(hashes: readonly string[], signal: AbortSignal): Promise<void> {
    const settled: SettlementToBook[] = [];
    const answers: LookUpResult[] = [];
    const queue = [...hashes];
    const work = async (): Promise<void> => {
      for (let hash = queue.pop(); hash !== undefined && !signal.aborted; hash = queue.pop()) {
        const state = await unlessAborted(this.lightning.lookupInvoice(hash), signal);
        if (!state) return;
        this.lookUps.inc({ answer: state.status });
        if (state.status === 'settled') settled.push({ paymentHash: hash, settleIndex: state.settleIndex, amountMsat: state.amountMsat });
        else if (state.status !== 'unknown') answers.push({ paymentHash: hash, answer: state.status === 'open' ? 'open' : 'closed' });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (settled.length > 0) {
      const { codes, epoch } = await this.settlements.book(this.nodeId, null, settled);
      this.stream.restartIfNewEpoch(epoch);
      codes.forEach((code, index) => {
        const paymentHash = settled[index]?.paymentHash ?? '';
        if (code === 'refused' || code === 'refused_before') answers.push({ paymentHash, answer: 'refused' });
      });
    }
    await this.store.noteLookUps(this.nodeId, answers);
  }
}
