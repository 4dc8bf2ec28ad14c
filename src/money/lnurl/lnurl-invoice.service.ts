import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { LnurlClient, type LnurlInvoice } from './lnurl-client.js';
import { isOwnDomain } from './lnurl-text.js';
import { PayOfferService } from './pay-offer.service.js';

/** The payer pays at once. What is not paid, because the payer lacks the money, soon leaves the recipient's list. */
const OWN_INVOICE_MINUTES = 5;
const OWN_PATH = /\/\.well-known\/lnurlp\/([^/]+)$/;

export interface LnurlPayer {
  readonly userId: string;
  /** Names the attempt, which gets the same invoice of Sluice again. An outside service makes a new one each time. */
  readonly attempt?: string | undefined;
}

/** Gets the invoice to pay for an LNURL or a Lightning address: from its service, or from Sluice itself for an address of its own. */
@Injectable()
export class LnurlInvoiceService {
  constructor(
    private readonly config: Config,
    private readonly client: LnurlClient,
    private readonly offers: PayOfferService,
  ) {}

  async request(url: URL, amountSats: number, { userId, attempt }: LnurlPayer): Promise<LnurlInvoice | { readonly kind: 'unavailable' }> {
    const username = this.ownUsernameIn(url);
    if (username === undefined) return this.client.requestInvoice(url, msatOfSats(amountSats), userId);
    const recipient = await this.offers.find(username);
    if (!recipient) return { kind: 'failed' };
    const order = { amountMsat: msatOfSats(amountSats), expiresInMinutes: OWN_INVOICE_MINUTES, attempt };
    const made = await this.offers.order(recipient, order);
    if (made.kind === 'created') return { kind: 'invoice', paymentRequest: made.invoice.paymentRequest };
    return { kind: made.kind === 'unavailable' ? 'unavailable' : 'out_of_bounds' };
  }

  /** Sluice does not send requests to itself: its own name may lead to an address that none may go to. */
  private ownUsernameIn(url: URL): string | undefined {
    return isOwnDomain(this.config, url.host) ? OWN_PATH.exec(url.pathname)?.[1] : undefined;
  }
}
