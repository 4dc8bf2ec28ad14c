import { Injectable } from '@nestjs/common';
import type { GqlContext } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { EgressClient } from '../../../edge/egress/index.js';
import { Mac } from '../../../platform/kernel/mac.js';
import { deterministicUuid } from '../../../platform/kernel/uuid.js';
import type { LnInvoiceCreateOnBehalfOfRecipientInput } from '../../../generated/graphql.js';
import type { WebhookOwner } from '../../webhook/index.js';
import type { InvoiceAmount } from './invoice-issuer.service.js';
import { type InvoiceCreation, InvoiceService } from '../invoice.service.js';

/** `attempt` names the call: a retry gets the same invoice. */
type InvoiceCaller = Pick<GqlContext, 'principal' | 'address' | 'attempt'>;

export type InvoiceForOther = Omit<LnInvoiceCreateOnBehalfOfRecipientInput, 'amount'>;

const PURPOSE = 'sluice webhook caller v1';

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

  /** The name in the webhook's URL is resolved only when the webhook is posted. */
  async create(input: InvoiceForOther, amount: InvoiceAmount, caller: InvoiceCaller): Promise<InvoiceCreation> {
    const { recipientWalletId, memo, descriptionHash, expiresIn, externalId, webhookUrl } = input;
    const refusal = webhookUrl == null ? undefined : this.egress.refusalOf(webhookUrl);
    if (refusal) return { kind: 'webhook_refused', reason: refusal.reason };
    return this.invoices.create({
      ...amount,
      walletId: recipientWalletId,
      principal: caller.principal,
      memo,
      descriptionHash,
      expiresInMinutes: expiresIn,
      externalId,
      webhookUrl,
      webhookOwner: webhookUrl == null ? undefined : this.ownerOf(caller),
      attempt: caller.attempt,
    });
  }

  /** The person, whatever credential; a caller without one by its address, which is not stored: its code is. */
  private ownerOf({ principal, address }: InvoiceCaller): WebhookOwner {
    const isAnonymous = principal.kind === 'anonymous';
    const caller = isAnonymous ? `address ${address}` : `caller ${principal.userId ?? principal.id}`;
    return { id: deterministicUuid(this.#callers.of(caller).toString('hex')), isAnonymous };
  }
}
