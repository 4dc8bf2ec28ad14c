import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf } from '../../../platform/database/index.js';
import { InvoiceEntity, InvoiceService } from '../../invoice/index.js';
import { Jobs } from '../../../platform/job/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { LightningNode } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';

interface InvoiceToCancel {
  readonly paymentHash: string;
  readonly payeeNodeId: string | null;
  readonly expiresAt: number;
}

const TASK = 'invoice_cancel';
const RECOVERY = { everySeconds: 86_400, atStart: true } as const;
const RECOVERY_AGAIN_SECONDS = 10;
const RECOVERY_LIMIT_SECONDS = 600;
const AT_ONCE = 8;
/**
 * What a process that died can have left is among the last things that were booked before: it asks the node within seconds after the
 * payment. The minutes are for the time in which other processes went on before this one took its place.
 */
const MINUTES = 10;
const MAX_JOURNALS = 10_000;

const COPY = columns(InvoiceEntity).only('paymentHash', 'paymentRequest', 'expiresAt');
/** The statement reads the latest journals, their payments and their invoices by primary keys. */
const PAID_LATELY = sql`
  SELECT ${COPY.of('i')}
    FROM (SELECT idem, created_at, max(created_at) OVER () AS latest FROM ledger_journal ORDER BY id DESC LIMIT ${MAX_JOURNALS}) AS j
    JOIN payment p ON p.id = j.idem AND p.kind = 'internal'
    JOIN invoice i ON i.payment_hash = p.payment_hash AND i.settled_via = 'internal' AND i.node_id = $1 AND i.expires_at > now()
   WHERE j.created_at > j.latest - make_interval(mins => ${MINUTES})`;

/** Cancels invoices at the node that were paid internally. Until then an outside payer may pay them too, and Sluice credits that as well. */
@Injectable()
export class InvoiceCancelJob {
  private readonly log = new Log(InvoiceCancelJob.name);

  constructor(
    private readonly lightning: LightningNode,
    private readonly invoices: InvoiceService,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {
    jobs.task<InvoiceToCancel>(TASK, (invoice) => this.repeat(invoice));
    jobs.schedule('invoice_cancel_recovery', RECOVERY, ({ signal }) => this.recover(signal), { limitSeconds: RECOVERY_LIMIT_SECONDS });
  }

  /** Asks the node at once; only if it does not confirm it, a job asks again. Does nothing for an invoice that is not Sluice's. Never rejects. */
  async cancel(invoice: InvoiceToCancel, paymentRequest: string): Promise<void> {
    const { paymentHash } = invoice;
    try {
      if (!(await this.isOurs(invoice, paymentRequest)) || (await this.isConfirmed(invoice))) return;
      this.log.warn(
        'invoice_cancel_unconfirmed',
        { paymentHash },
        `Invoice ${paymentHash}: settled internally, but the node did not confirm the cancellation; risk of double payment until it does`,
      );
      await this.database.transaction((tx) => this.jobs.add(tx, TASK, invoice, { key: paymentHash }));
    } catch {
      // The database does not answer either.
      this.log.error(
        'invoice_cancel_not_repeated',
        { paymentHash },
        `Invoice ${paymentHash}: settled internally and open at the node, which Sluice could not note`,
      );
    }
  }

  private async repeat(invoice: InvoiceToCancel): Promise<void> {
    // The node accepts no new payment any more.
    if (this.clock.now() > invoice.expiresAt) return;
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

  /**
   * Cancels the node's copies of the invoices that were paid internally last, whenever a process starts: the one before may have died between
   * such a payment and the node's answer. The payment itself stores no mark for that, because every payment would pay for it.
   * @returns how soon to run again, while the node does not answer
   */
  private async recover(signal: AbortSignal): Promise<number | void> {
    if ((await this.lightning.info()).status !== 'ready') return RECOVERY_AGAIN_SECONDS;
    const { nodeId } = this.lightning;
    const copies = await this.database.query<RowOf<typeof COPY>>(PAID_LATELY, [nodeId]);
    const work = async (): Promise<void> => {
      for (let copy = copies.pop(); copy && !signal.aborted; copy = copies.pop()) {
        const { paymentHash, paymentRequest, expiresAt } = copy;
        await this.cancel({ paymentHash, payeeNodeId: nodeId, expiresAt: expiresAt.getTime() }, paymentRequest);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    signal.throwIfAborted();
  }
}
