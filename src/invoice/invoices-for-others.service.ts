import { Injectable } from '@nestjs/common';
import { EgressClient } from '../egress/index.js';
import type { CreateInvoiceParams } from './invoice-issuer.service.js';
import type { InvoiceCreation } from './invoice.outcome.js';
import { InvoiceService } from './invoice.service.js';

/** Creates invoices on behalf of recipients, whose creators may want a webhook when the invoice has ended. */
@Injectable()
export class InvoicesForOthers {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly egress: EgressClient,
  ) {}

  /** The name in the URL is resolved only when the webhook is posted. */
  async create(params: Omit<CreateInvoiceParams, 'userId'>): Promise<InvoiceCreation> {
    const { webhookUrl } = params;
    const refusal = webhookUrl == null ? undefined : this.egress.refusalOf(webhookUrl);
    return refusal ? { kind: 'webhook_refused', reason: refusal.reason } : this.invoices.create(params);
  }
}
