import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Events, listen, tidied, type Stream } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import { decodeInvoice } from '../lightning/index.js';
import type { InvoiceRow, InvoiceStatus } from './invoice.row.js';
import { InvoiceService } from './invoice.service.js';

/** What anybody may know of an invoice whose hash they know: the preimage once it is paid, never before. */
export interface StatusRow {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly paymentPreimage: string | null;
  readonly status: InvoiceStatus;
}

const LATE_MS = 20; // timers are no finer: look just after

/** The public view of an invoice, as it is and as it changes. */
@Injectable()
export class InvoiceStatusService {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  async findByHash(paymentHash: string): Promise<StatusRow | null> {
    const invoice = await this.invoices.findByHash(paymentHash);
    return invoice && statusOf(invoice);
  }

  /** `undecodable` for text that is no invoice; null for one that is not ours. */
  async findByRequest(paymentRequest: string): Promise<StatusRow | null | 'undecodable'> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return 'undecodable';
    const found = await this.findByHash(decoded.invoice.paymentHash);
    return found?.paymentRequest === decoded.invoice.paymentRequest ? found : null;
  }

  /** The status now, then each change, until it is final. Null for an unknown invoice. */
  async follow(paymentHash: string): Promise<Stream<StatusRow> | null> {
    const bus = new EventEmitter();
    const stream = listen<StatusRow>(bus, 'status');
    let last: InvoiceStatus | undefined;
    const look = async (): Promise<void> => {
      const found = await this.findByHash(paymentHash);
      if (!found || found.status === last) return;
      last = found.status;
      bus.emit('status', found);
      if (last !== 'PENDING') bus.emit('end');
    };
    // First the ear, then the eye: a change between the two is not missed.
    const off = this.events.on('invoice.changed', look, paymentHash.toLowerCase());
    const invoice = await this.invoices.findByHash(paymentHash);
    if (!invoice) {
      off();
      return null;
    }
    await look();
    const cancelTimer = this.clock.timeout(invoice.leftMs + LATE_MS, () => void look().catch(() => undefined));
    return tidied(stream, () => {
      off();
      cancelTimer();
    });
  }
}

const statusOf = ({ paymentHash, paymentRequest, preimage, status }: InvoiceRow): StatusRow => ({
  paymentHash,
  paymentRequest,
  paymentPreimage: status === 'PAID' ? preimage : null,
  status,
});
