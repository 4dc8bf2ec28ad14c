import { Injectable } from '@nestjs/common';
import type { GqlContext } from '../auth/index.js';
import { Config } from '../config/index.js';
import { EgressClient } from '../egress/index.js';
import { Mac } from '../kernel/mac.js';
import { deterministicUuid } from '../kernel/uuid.js';
import type { WebhookOwner } from '../webhook/index.js';
import type { CreateInvoiceParams } from './invoice-issuer.service.js';
import type { InvoiceCreation } from './invoice.outcome.js';
import { InvoiceService } from './invoice.service.js';

/** Who asks for an invoice on behalf of a recipient. */
export type InvoiceCaller = Pick<GqlContext, 'principal' | 'address'>;

const PURPOSE = 'sluice webhook caller v1';

/** Creates invoices on behalf of recipients, whose creators may want a webhook when the invoice has ended. */
@Injectable()
export class InvoicesForOthers {
  readonly #callers: Mac;

  constructor(
    private readonly invoices: InvoiceService,
    private readonly egress: EgressClient,
    { secretKey }: Config,
  ) {
    this.#callers = new Mac(PURPOSE, secretKey);
  }

  /** The name in the URL is resolved only when the webhook is posted. */
  async create(params: Omit<CreateInvoiceParams, 'userId' | 'webhookOwner'>, caller: InvoiceCaller): Promise<InvoiceCreation> {
    const { webhookUrl } = params;
    if (webhookUrl == null) return this.invoices.create(params);
    const refusal = this.egress.refusalOf(webhookUrl);
    if (refusal) return { kind: 'webhook_refused', reason: refusal.reason };
    return this.invoices.create({ ...params, webhookOwner: this.ownerOf(caller) });
  }

  /** The person, whatever credential; a caller without one by its address, which is not stored: its code is. */
  private ownerOf({ principal, address }: InvoiceCaller): WebhookOwner {
    const isAnonymous = principal.kind === 'anonymous';
    const caller = isAnonymous ? `address ${address}` : `caller ${principal.userId ?? principal.id}`;
    return { id: deterministicUuid(this.#callers.of(caller).toString('hex')), isAnonymous };
  }
}
