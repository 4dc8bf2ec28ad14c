import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { InvoiceService } from '../../invoice/index.js';
import { Jobs } from '../../../platform/job/index.js';
import { retries } from '../../../platform/kernel/retries.js';
import { LightningNode } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import type { InvoiceToCancel } from '../rails/rail.js';

const TASK = 'invoice_cancel';
/** Invoices that wait for the database, so that a job for them can be added. */
const MAX_WAITING = 10_000;

/** Cancels invoices at the node that were paid internally. Until then an outside payer may pay them too, and Sluice credits that as well. */
@Injectable()
export class InvoiceCancelJob implements OnApplicationShutdown {
  private readonly log = new Log(InvoiceCancelJob.name);
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<InvoiceToCancel>();

  constructor(
    private readonly lightning: LightningNode,
    private readonly invoices: InvoiceService,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {
    jobs.task<InvoiceToCancel>(TASK, (invoice) => this.repeat(invoice));
  }

  /**
   * Asks the node at once; only if it does not confirm it, a job asks again. Does nothing for an invoice that is not Sluice's. Never
   * rejects: while the database does not answer, it is asked again.
   */
  async cancel(invoice: InvoiceToCancel, paymentRequest: string): Promise<void> {
    if (await this.hasHandled(invoice, paymentRequest)) return;
    if (this.waiting.size >= MAX_WAITING) return this.reportNotRepeated(invoice);
    this.waiting.add(invoice);
    for await (const _retry of retries(this.stopping.signal))
      if (Date.now() > invoice.expiresAt || (await this.hasHandled(invoice, paymentRequest))) return void this.waiting.delete(invoice);
    this.reportNotRepeated(invoice);
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** True once the node has confirmed it, or a job will ask again. */
  private async hasHandled(invoice: InvoiceToCancel, paymentRequest: string): Promise<boolean> {
    const { paymentHash } = invoice;
    try {
      if (!(await this.isOurs(invoice, paymentRequest)) || (await this.isConfirmed(invoice))) return true;
      if (!this.waiting.has(invoice))
        this.log.warn(
          'invoice_cancel_unconfirmed',
          { paymentHash },
          `Invoice ${paymentHash}: settled internally, but the node did not confirm the cancellation; risk of double payment until it does`,
        );
      await this.database.transaction((tx) => this.jobs.add(tx, TASK, invoice, { key: paymentHash }));
      return true;
    } catch {
      return false; // the database did not answer
    }
  }

  private reportNotRepeated({ paymentHash }: InvoiceToCancel): void {
    this.log.error(
      'invoice_cancel_not_repeated',
      { paymentHash },
      `Invoice ${paymentHash}: settled internally and open at the node, which Sluice could not note`,
    );
  }

  private async repeat(invoice: InvoiceToCancel): Promise<void> {
    // The node accepts no new payment any more.
    if (Date.now() > invoice.expiresAt) return;
    if (!(await this.isConfirmed(invoice)))
      throw new Error(`the node did not confirm that it cancelled the invoice ${invoice.paymentHash}`);
  }

  /** An invoice that names another node may be of the node that Sluice had before. */
  private async isOurs({ paymentHash, payeeNodeId }: InvoiceToCancel, paymentRequest: string): Promise<boolean> {
    return payeeNodeId === this.lightning.nodeId || (await this.invoices.findByHash(paymentHash))?.paymentRequest === paymentRequest;
  }

  /**
   * `not_found` from a node that did not create the invoice says nothing about the node that did. There is nothing to wait for at a node that
   * cannot cancel: what an outside payer pays until the expiry is credited.
   */
  private async isConfirmed({ paymentHash, payeeNodeId }: InvoiceToCancel): Promise<boolean> {
    const closed = await this.lightning.cancelInvoice(paymentHash);
    return closed !== 'unknown' && (closed !== 'not_found' || payeeNodeId === this.lightning.nodeId);
  }
}
