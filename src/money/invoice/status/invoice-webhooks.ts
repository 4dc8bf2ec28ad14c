import { Injectable } from '@nestjs/common';
import { sql, type Tx } from '../../../platform/database/index.js';
import type { Counter } from 'prom-client';
import { Events } from '../../../platform/events/index.js';
import { Log, LogInterval } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import type { InvoiceRow } from '../invoice.row.js';
import { DeliveryDispatcher, enqueueOnce, type SingleWebhook } from '../../webhook/index.js';

interface EndedInvoice extends Pick<InvoiceRow, 'walletId' | 'paymentHash' | 'paymentRequest' | 'preimage'> {
  readonly url: string;
  readonly ownerId: string;
  readonly isAnonymous: boolean;
  readonly isPaid: boolean;
}

// The state now: between the event and this call an invoice may have been paid. Without its URL the invoice makes no other webhook.
const TAKE = sql`WITH ended AS (
         SELECT i.payment_hash, i.webhook_url, i.webhook_owner_id, i.webhook_is_anonymous FROM invoice i
          WHERE i.payment_hash = ANY ($1) AND i.webhook_url IS NOT NULL ORDER BY i.payment_hash FOR NO KEY UPDATE)
       UPDATE invoice i SET webhook_url = NULL, webhook_owner_id = NULL, webhook_is_anonymous = NULL FROM ended WHERE i.payment_hash = ended.payment_hash
       RETURNING ended.webhook_url AS url, ended.webhook_owner_id AS "ownerId", ended.webhook_is_anonymous AS "isAnonymous", i.wallet_id AS "walletId",
                 i.payment_hash AS "paymentHash", i.payment_request AS "paymentRequest", i.preimage, i.state = 'paid' AS "isPaid"`;
const CONSUMER = 'invoice-webhook';
const LOG_EVERY_MS = 30_000;

/** Makes the webhooks of invoices that have ended, once, in the transaction that stores how far the events were read. */
@Injectable()
export class InvoiceWebhooks {
  private readonly log = new Log('Webhooks');
  private readonly dropLog = new LogInterval(LOG_EVERY_MS);
  private readonly dropped: Counter<'caller'>;

  constructor(events: Events, dispatcher: DeliveryDispatcher, metrics: Metrics) {
    this.dropped = metrics.counter(
      'sluice_invoice_webhooks_dropped_total',
      'Webhooks of invoices that were not made because too many of their caller, or of too many anonymous callers, wait, by caller',
      ['caller'],
    );
    events.consumeTogether(CONSUMER, 'invoice.webhook', (changes, tx) => this.make(tx, [...new Set(changes.map(({ key }) => key))]), {
      from: 'oldest',
    });
    events.onConsumed(CONSUMER, () => dispatcher.wake());
  }

  private async make(tx: Tx, paymentHashes: readonly string[]): Promise<void> {
    const invoices = await tx.query<EndedInvoice>(TAKE, [paymentHashes]);
    if (invoices.length === 0) return;
    const made = await enqueueOnce(tx, invoices.map(webhookOf));
    invoices.forEach((invoice, index) => {
      if (!made[index]) this.noteDropped(invoice);
    });
  }

  private noteDropped({ walletId, paymentHash, isAnonymous }: EndedInvoice): void {
    const caller = isAnonymous ? 'anonymous' : 'known';
    this.dropped.inc({ caller });
    if (this.dropLog.isOver(caller))
      this.log.warn(
        'invoice_webhook_dropped',
        { walletId, paymentHash, caller },
        `As many webhooks of invoices wait as may: that of invoice ${paymentHash} was not made`,
      );
  }
}

/** Its receiver may be a stranger to the wallet's owner: nothing that names the owner is in it. */
function webhookOf(invoice: EndedInvoice): SingleWebhook {
  const { paymentHash, paymentRequest, preimage, isPaid, ...webhook } = invoice;
  const body = { paymentHash, paymentRequest, status: isPaid ? 'PAID' : 'EXPIRED', paymentPreimage: isPaid ? preimage : null };
  return { ...webhook, type: isPaid ? 'invoice.paid' : 'invoice.expired', body: JSON.stringify(body) };
}
