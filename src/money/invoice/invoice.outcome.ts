import type { BillRefusal } from './issue/invoice-bill.service.js';
import type { UrlRefusal } from '../webhook/index.js';
import type { InvoiceRow } from './invoice.row.js';

/** Result of creating an invoice. */
export type InvoiceCreation =
  | { readonly kind: 'created'; readonly invoice: InvoiceRow }
  | { readonly kind: 'invalid_amount' }
  | { readonly kind: 'unknown_wallet' }
  | BillRefusal
  | { readonly kind: 'external_id_taken' }
  /** No webhook is sent to this URL. */
  | { readonly kind: 'webhook_refused'; readonly reason: UrlRefusal }
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
