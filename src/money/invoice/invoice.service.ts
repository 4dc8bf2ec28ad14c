import { Injectable } from '@nestjs/common';
import type { PageRequest } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { LightningNode } from '../lightning/index.js';
import { AccountService } from '../wallet/index.js';
import { InvoiceIssuer, type CreateInvoiceParams, type BillRefusal } from './issue/invoice-issuer.service.js';
import type { InvoiceList, InvoiceRow } from './invoice.row.js';
import { InvoiceStore } from './invoice.store.js';
import type { EgressRefusal } from '../../edge/egress/index.js';

/** Result of creating an invoice. */
export type InvoiceCreation =
  | { readonly kind: 'created'; readonly invoice: InvoiceRow }
  | { readonly kind: 'invalid_amount' }
  | { readonly kind: 'unknown_wallet' }
  | BillRefusal
  | { readonly kind: 'external_id_taken' }
  /** The account has open invoices of as many dollars as it may have. */
  | { readonly kind: 'too_much_open' }
  /** No webhook is sent to this URL. */
  | { readonly kind: 'webhook_refused'; readonly reason: EgressRefusal['reason'] }
  /** The node refused or could not be reached; no payer can have got an invoice. */
  | { readonly kind: 'node_unavailable' };

/** Result of cancelling an invoice. */
export type InvoiceCancellation =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'already_paid' }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'unknown_invoice' }
  /** The node could not be reached: the invoice is unchanged. */
  | { readonly kind: 'node_unavailable' }
  /** The node cancels no invoices: this one can be paid until it expires. */
  | { readonly kind: 'unsupported' };

const NO_HASH = '';
const MAX_CANCELLED = 200;
const CANCELLED_AT_ONCE = 8;

/** Creates, finds and cancels invoices. Settlements and internal payments mark them as paid. */
@Injectable()
export class InvoiceService {
  constructor(
    private readonly store: InvoiceStore,
    private readonly accounts: AccountService,
    private readonly issuer: InvoiceIssuer,
    private readonly lightning: LightningNode,
    private readonly events: Events,
  ) {}

  /** Two statements beside the node's work, three for a wallet in dollars. The node creates the invoice first; the caller gets it only after Sluice has stored it. */
  async create(params: CreateInvoiceParams): Promise<InvoiceCreation> {
    if (params.amountSats !== null && params.amountSats <= 0) return { kind: 'invalid_amount' };
    if (params.amountCents !== undefined && params.amountCents <= 0) return { kind: 'invalid_cents' };
    const wallet = await this.accounts.findWallet(params.walletId);
    if (!wallet || (params.userId !== undefined && wallet.userId !== params.userId)) return { kind: 'unknown_wallet' };
    const issued = await this.issuer.issue(params, wallet);
    if (issued.kind === 'stored') return { kind: 'created', invoice: issued.invoice };
    if (issued.kind === 'unavailable') {
      // The simulated node uses our database: in an outage of it this read throws, and the client gets that error.
      await this.store.find(NO_HASH);
      return { kind: 'node_unavailable' };
    }
    if (issued.kind !== 'issued') return issued;
    const { paymentHash } = issued.invoice;
    const stored = await this.store.insert(issued.invoice);
    if (typeof stored === 'object') return { kind: 'created', invoice: stored };
    // Another call of the same attempt may have stored this invoice in the meantime.
    const invoice = params.attempt && (await this.store.find(paymentHash));
    if (invoice) return { kind: 'created', invoice };
    await this.lightning.cancelInvoice(paymentHash);
    return { kind: stored ?? ((await this.store.hasWallet(wallet.id)) ? 'external_id_taken' : 'unknown_wallet') };
  }

  /**
   * Cancels at the node before cancelling locally: only the node knows that no outside payer has paid or will. The local cancellation then
   * stops internal payers. If the process stops between the two, the invoice is still open, and the caller cancels again.
   */
  async cancel(userId: string, walletId: string, paymentHash: string): Promise<InvoiceCancellation> {
    const wallet = await this.accounts.findWallet(walletId);
    if (wallet?.userId !== userId) return { kind: 'unknown_wallet' };
    const invoice = await this.findByHash(paymentHash);
    if (invoice?.walletId !== wallet.id) return { kind: 'unknown_invoice' };
    return this.close(invoice);
  }

  /** Cancels what the node of a leaving account may still be paid, a bounded number at a time. What cannot be cancelled stays. */
  async cancelAll(walletIds: readonly string[]): Promise<void> {
    const invoices = await this.store.listPayable(walletIds, MAX_CANCELLED);
    const work = async (): Promise<void> => {
      for (let invoice = invoices.pop(); invoice; invoice = invoices.pop()) await this.close(invoice);
    };
    await Promise.all(Array.from({ length: CANCELLED_AT_ONCE }, work));
  }

  private async close(invoice: InvoiceRow): Promise<InvoiceCancellation> {
    if (invoice.status === 'PAID') return { kind: 'already_paid' };
    // Another node would return `not_found`, while the node that created the invoice may still be paid.
    if (invoice.nodeId !== this.lightning.nodeId) return { kind: invoice.cancelled ? 'cancelled' : 'node_unavailable' };
    const closed = await this.lightning.cancelInvoice(invoice.paymentHash);
    if (closed === 'settled') return { kind: 'already_paid' };
    if (closed === 'unknown') return { kind: 'node_unavailable' };
    if (closed === 'unsupported') return { kind: 'unsupported' };
    const result = await this.store.cancel({ id: invoice.walletId, accountId: invoice.accountId }, invoice.paymentHash);
    this.events.poll();
    return { kind: result === 'paid' ? 'already_paid' : 'cancelled' };
  }

  findByHash(paymentHash: string): Promise<InvoiceRow | null> {
    return this.store.find(paymentHash.toLowerCase());
  }

  list(of: InvoiceList, pageRequest: PageRequest): Promise<InvoiceRow[]> {
    return this.store.list(of, pageRequest);
  }
}
