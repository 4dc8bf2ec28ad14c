import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Events, listen, withCleanup, type Stream } from '../../../platform/events/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { decodeInvoice, LightningNode } from '../../lightning/index.js';
import type { InvoiceRow, InvoiceStatus } from '../invoice.row.js';
import { InvoiceService } from '../invoice.service.js';
import { InvoiceStore } from '../invoice.store.js';

/** Every caller that knows the hash may read it. It has the preimage only once the invoice is paid. */
export interface StatusRow {
  readonly paymentHash: string;
  /** Null: the row was deleted, because the invoice was not paid in time and another caller than the owner had created it. */
  readonly paymentRequest: string | null;
  readonly paymentPreimage: string | null;
  readonly status: InvoiceStatus;
}

/** `undecodable`: the text is no invoice. `unknown`: the invoice is not ours. */
export type StatusRefusal = 'undecodable' | 'unknown';

/** Pause between reads after the expiry, in case the event of the end was missed. */
const CLOSING_MS = 30_000;
const RETRY_MS = 1_000;

@Injectable()
export class InvoiceStatusService {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly store: InvoiceStore,
    private readonly lightning: LightningNode,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  async findByHash(paymentHash: string): Promise<StatusRow | 'unknown'> {
    return (await this.look(paymentHash.toLowerCase()))?.status ?? 'unknown';
  }

  findByRequest(paymentRequest: string): Promise<StatusRow | StatusRefusal> {
    return this.ofRequest(paymentRequest, (paymentHash) => this.findByHash(paymentHash));
  }

  /** The status now, then each change, until it is final. */
  async follow(paymentHash: string): Promise<Stream<StatusRow> | 'unknown'> {
    const bus = new EventEmitter();
    const stream = listen<StatusRow>(bus, 'status');
    let last: InvoiceStatus | undefined;
    let cancelTimer = (): void => undefined;
    const lookIn = (ms: number): void => {
      cancelTimer();
      cancelTimer = this.clock.timeout(ms, () => void look().catch(() => lookIn(RETRY_MS)));
    };
    const look = async (): Promise<void> => {
      const seen = await this.look(paymentHash.toLowerCase());
      if (!seen) return;
      if (seen.status.status !== last) bus.emit('status', seen.status);
      last = seen.status.status;
      // Timed by the database's clock, because the clock of this process may be ahead.
      if (last === 'PENDING') lookIn(Math.max(0, seen.leftMs) + CLOSING_MS);
      else bus.emit('end');
    };
    // Subscribe before reading, so that no change is missed.
    const off = this.events.on('invoice.changed', () => look().catch(() => lookIn(RETRY_MS)), paymentHash.toLowerCase());
    await look();
    const leave = (): void => {
      off();
      cancelTimer();
    };
    if (last !== undefined) return withCleanup(stream, leave);
    leave();
    return 'unknown';
  }

  followByRequest(paymentRequest: string): Promise<Stream<StatusRow> | StatusRefusal> {
    return this.ofRequest(paymentRequest, (paymentHash) => this.follow(paymentHash));
  }

  private async look(paymentHash: string): Promise<{ readonly status: StatusRow; readonly leftMs: number } | null> {
    const invoice = await this.invoices.findByHash(paymentHash);
    if (invoice) return { status: statusOf(invoice), leftMs: invoice.leftMs };
    const status = await this.store.findForgotten(paymentHash);
    return status && { status: { paymentHash, paymentRequest: null, paymentPreimage: null, status }, leftMs: 0 };
  }

  /**
   * Reads what belongs to a payment request, which must be the exact text of our invoice. A deleted invoice is recognised by its signature,
   * which only our node can have made.
   */
  private async ofRequest<Found>(paymentRequest: string, read: (paymentHash: string) => Promise<Found>): Promise<Found | StatusRefusal> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return 'undecodable';
    const { paymentHash, payeeNodeId } = decoded.invoice;
    const found = await this.invoices.findByHash(paymentHash);
    const isOurs = found ? found.paymentRequest === decoded.invoice.paymentRequest : payeeNodeId === this.lightning.nodeId;
    return isOurs ? read(paymentHash) : 'unknown';
  }
}

const statusOf = ({ paymentHash, paymentRequest, preimage, status }: InvoiceRow): StatusRow => ({
  paymentHash,
  paymentRequest,
  paymentPreimage: status === 'PAID' ? preimage : null,
  status,
});
