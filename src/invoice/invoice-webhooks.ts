import { Injectable } from '@nestjs/common';
import { sql, type Tx } from '../database/index.js';
import { Events } from '../events/index.js';
import { Log } from '../logging/index.js';
import { DeliveryStore } from '../webhook/index.js';

interface EndedInvoice {
  readonly url: string;
  readonly walletId: string;
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly preimage: string;
  readonly isPaid: boolean;
}

// The state now: between the event and this call an invoice may have been paid. Without its URL the invoice makes no other webhook.
const TAKE = sql`WITH ended AS (
         SELECT i.payment_hash, i.webhook_url FROM invoice i WHERE i.payment_hash = $1 AND i.webhook_url IS NOT NULL FOR NO KEY UPDATE)
       UPDATE invoice i SET webhook_url = NULL FROM ended WHERE i.payment_hash = ended.payment_hash
       RETURNING ended.webhook_url AS url, i.wallet_id AS "walletId", i.payment_hash AS "paymentHash", i.payment_request AS "paymentRequest",
                 i.preimage, i.state = 'paid' AS "isPaid"`;

/** Makes the webhook of an invoice, once, in the transaction that stores how far the events were read. */
@Injectable()
export class InvoiceWebhooks {
  private readonly log = new Log('Webhooks');

  constructor(
    events: Events,
    private readonly deliveries: DeliveryStore,
  ) {
    events.consume('invoice-webhook', 'invoice.webhook', (_event, tx, paymentHash) => this.make(tx, paymentHash), 'oldest');
  }

  private async make(tx: Tx, hash: string): Promise<void> {
    const [invoice] = await tx.query<EndedInvoice>(TAKE, [hash]);
    if (!invoice) return;
    const { url, walletId, paymentHash, paymentRequest, preimage, isPaid } = invoice;
    // Its receiver may be a stranger to the wallet's owner: nothing that names the owner is in it.
    const body = { paymentHash, paymentRequest, status: isPaid ? 'PAID' : 'EXPIRED', paymentPreimage: isPaid ? preimage : null };
    const event = { type: isPaid ? 'invoice.paid' : 'invoice.expired', body: JSON.stringify(body) } as const;
    if (!(await this.deliveries.enqueueOnce(tx, walletId, url, event)))
      this.log.warn('invoice_webhook_dropped', { walletId, paymentHash }, `Too many webhooks of invoices of wallet ${walletId} wait`);
  }
}
