import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { Jobs } from '../job/index.js';
import { LightningNode, type Bolt11Invoice } from '../lightning/index.js';
import { Log } from '../logging/index.js';
import { PaymentDispatcher } from './payment.dispatcher.js';

const TASK = 'invoice_cancel';

/** The copy of an internally paid invoice at the node. */
interface NodesCopy {
  readonly paymentHash: string;
  readonly payeeNodeId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Asks the node again to cancel invoices that were paid internally, after it has not confirmed that at once. */
@Injectable()
export class InvoiceCancelJob {
  private readonly log = new Log(InvoiceCancelJob.name);

  constructor(
    private readonly lightning: LightningNode,
    private readonly database: Database,
    private readonly jobs: Jobs,
    dispatcher: PaymentDispatcher,
  ) {
    jobs.task<NodesCopy>(TASK, (copy) => this.cancel(copy));
    dispatcher.onOpenCopy((invoice) => this.add(invoice));
  }

  /** @throws Error when the node does not confirm it */
  private async cancel({ paymentHash, payeeNodeId, expiresAt }: NodesCopy): Promise<void> {
    // The node accepts no new payment any more.
    if (Date.now() > expiresAt) return;
    const closed = await this.lightning.cancelInvoice(paymentHash);
    if (closed === 'unknown') throw new Error(`the node did not confirm that it cancelled the invoice ${paymentHash}`);
    if (closed === 'not_found' && payeeNodeId !== this.lightning.nodeId)
      throw new Error(`another node, ${payeeNodeId}, created the invoice ${paymentHash}`);
  }

  private add({ paymentHash, payeeNodeId, expiresAt }: Bolt11Invoice): void {
    const copy: NodesCopy = { paymentHash, payeeNodeId, expiresAt: expiresAt.getTime() };
    this.database
      .transaction((tx) => this.jobs.add(tx, TASK, copy, { key: paymentHash }))
      .catch((error: Error) =>
        this.log.error(
          'invoice_cancel_not_repeated',
          { paymentHash },
          `Invoice ${paymentHash}: settled internally and open at the node, which Sluice could not note: ${error.message}`,
        ),
      );
  }
}
