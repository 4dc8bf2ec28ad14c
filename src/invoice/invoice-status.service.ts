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
/** After a look that failed. */
const RETRY_MS = 1_000;

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
    const invoice = await this.ownInvoice(paymentRequest);
    return invoice === null || invoice === 'undecodable' ? invoice : statusOf(invoice);
  }

  /** The status now, then each change, until it is final. Null for an unknown invoice. */
  async follow(paymentHash: string): Promise<Stream<StatusRow> | null> {
    const bus = new EventEmitter();
    const stream = listen<StatusRow>(bus, 'status');
    let last: InvoiceStatus | undefined;
    let cancelTimer = (): void => undefined;
    const lookIn = (ms: number): void => {
      cancelTimer();
      cancelTimer = this.clock.timeout(ms, () => void look().catch(() => lookIn(RETRY_MS)));
    };
    const look = async (): Promise<void> => {
      const invoice = await this.invoices.findByHash(paymentHash);
      if (!invoice) return;
      if (invoice.status !== last) bus.emit('status', statusOf(invoice));
      last = invoice.status;
      // By the database's clock, which ours may have run ahead of.
      if (last === 'PENDING') lookIn(invoice.leftMs + LATE_MS);
      else bus.emit('end');
    };
    // First the ear, then the eye: a change between the two is not missed.
    const off = this.events.on('invoice.changed', () => look().catch(() => lookIn(RETRY_MS)), paymentHash.toLowerCase());
    await look();
    const leave = (): void => {
      off();
      cancelTimer();
    };
    if (last !== undefined) return tidied(stream, leave);
    leave();
    return null;
  }

  /** The same by the invoice's text, which has to be ours to the letter. */
  async followByRequest(paymentRequest: string): Promise<Stream<StatusRow> | null | 'undecodable'> {
    const invoice = await this.ownInvoice(paymentRequest);
    return invoice === null || invoice === 'undecodable' ? invoice : this.follow(invoice.paymentHash);
  }

  private async ownInvoice(paymentRequest: string): Promise<InvoiceRow | null | 'undecodable'> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return 'undecodable';
    const found = await this.invoices.findByHash(decoded.invoice.paymentHash);
    return found?.paymentRequest === decoded.invoice.paymentRequest ? found : null;
  }
}

const statusOf = ({ paymentHash, paymentRequest, preimage, status }: InvoiceRow): StatusRow => ({
  paymentHash,
  paymentRequest,
  paymentPreimage: status === 'PAID' ? preimage : null,
  status,
});
