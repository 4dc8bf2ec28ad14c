import { Injectable } from '@nestjs/common';
import type { PageRequest } from '../database/index.js';
import { Events } from '../events/index.js';
import { msatOfSats } from '../kernel/money.js';
import { randomBytes } from '../kernel/random.js';
import { LightningNode, cachePubkey } from '../lightning/index.js';
import { PriceSource } from '../price/index.js';
import { AccountService, type WalletRef } from '../wallet/index.js';
import type { InvoiceCancellation, InvoiceCreation } from './invoice.outcome.js';
import type { InvoiceRow } from './invoice.row.js';
import { InvoiceStore, type InvoiceList, type NewInvoice } from './invoice.store.js';

export interface CreateInvoiceParams {
  readonly walletId: string;
  /** The owner, if only the owner may ask; undefined for an invoice on behalf of a recipient. */
  readonly userId?: string;
  readonly amountSats: number;
  readonly memo?: string | null | undefined;
  /** Takes the memo's place in the invoice; hex. */
  readonly descriptionHash?: string | null | undefined;
  readonly expiresInMinutes?: number | null | undefined;
  readonly externalId?: string | null | undefined;
}

const NO_HASH = '';
const MINUTE = 60;
const MAX_MINUTES = 24 * 60;
const DEFAULT_MINUTES = 4 * 60;

/** Creates, finds and cancels invoices. Settlements and internal payments mark them as paid. */
@Injectable()
export class InvoiceService {
  constructor(
    private readonly store: InvoiceStore,
    private readonly accounts: AccountService,
    private readonly lightning: LightningNode,
    private readonly prices: PriceSource,
    private readonly events: Events,
  ) {}

  /** Two statements beside the node's work. The node creates the invoice first; the caller gets it only after Sluice has stored it. */
  async create(params: CreateInvoiceParams): Promise<InvoiceCreation> {
    if (params.amountSats <= 0) return { kind: 'invalid_amount' };
    const wallet = await this.accounts.findWallet(params.walletId);
    if (!wallet || (params.userId !== undefined && wallet.userId !== params.userId)) return { kind: 'unknown_wallet' };
    if (wallet.currency !== 'BTC') return { kind: 'wrong_currency' };
    const drafted = await this.draft(params, wallet);
    if (!drafted) {
      // The simulated node uses our database: in an outage of it this read throws, and the client gets that error.
      await this.store.find(NO_HASH);
      return { kind: 'node_unavailable' };
    }
    const invoice = await this.store.insert(drafted);
    if (invoice) return { kind: 'created', invoice };
    await this.lightning.cancelInvoice(drafted.paymentHash);
    return { kind: 'external_id_taken' };
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
    if (invoice.status === 'PAID') return { kind: 'already_paid' };
    // Another node would return `not_found`, while the node that created the invoice may still be paid.
    if (invoice.nodeId !== this.lightning.nodeId) return { kind: invoice.cancelled ? 'cancelled' : 'node_unavailable' };
    const closed = await this.lightning.cancelInvoice(invoice.paymentHash);
    if (closed === 'settled') return { kind: 'already_paid' };
    if (closed === 'unknown') return { kind: 'node_unavailable' };
    const result = await this.store.cancel(wallet, invoice.paymentHash);
    this.events.poll();
    return { kind: result === 'paid' ? 'already_paid' : 'cancelled' };
  }

  findByHash(paymentHash: string): Promise<InvoiceRow | null> {
    return this.store.find(paymentHash.toLowerCase());
  }

  list(of: InvoiceList, pageRequest: PageRequest): Promise<InvoiceRow[]> {
    return this.store.list(of, pageRequest);
  }

  private async draft(params: CreateInvoiceParams, wallet: WalletRef): Promise<NewInvoice | undefined> {
    const amountMsat = msatOfSats(params.amountSats);
    const preimage = randomBytes(32).toString('hex');
    const expirySeconds = minutesOf(params.expiresInMinutes) * MINUTE;
    const description = params.memo ?? '';
    const descriptionHash = params.descriptionHash ?? undefined;
    const made = await this.lightning.createInvoice({
      amountMsat,
      preimage,
      expirySeconds,
      ...(descriptionHash === undefined ? { description } : { descriptionHash }),
    });
    if (made.status !== 'created') return undefined;
    const { paymentHash, paymentRequest, paymentSecret, nodeId } = made;
    // An internal payment need not verify what our own node has signed.
    cachePubkey(paymentRequest, nodeId);
    return {
      paymentHash,
      paymentRequest,
      paymentSecret,
      nodeId,
      preimage,
      amountMsat,
      expirySeconds,
      accountId: wallet.accountId,
      walletId: wallet.id,
      memo: params.memo || null,
      descriptionHash: descriptionHash ?? null,
      externalId: params.externalId ?? paymentHash,
      externalIdByOwner: params.userId !== undefined,
      centsPerBtc: this.prices.centsPerBtc(),
    };
  }
}

/** A value outside 1 minute to 24 hours silently becomes the default: clients written for this API send such values and rely on it. */
const minutesOf = (asked: number | null | undefined): number =>
  asked != null && asked >= 1 && asked <= MAX_MINUTES ? asked : DEFAULT_MINUTES;
