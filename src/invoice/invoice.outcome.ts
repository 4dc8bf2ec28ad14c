import type { InvoiceRow } from './invoice.row.js';

/** What became of the wish for an invoice. */
export type InvoiceCreation =
  | { readonly kind: 'created'; readonly invoice: InvoiceRow }
  | { readonly kind: 'invalid_amount' }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'wrong_currency' }
  | { readonly kind: 'external_id_taken' }
  /** The node refused, or could not be asked; nothing was made that anybody could pay. */
  | { readonly kind: 'node_unavailable' };

/** What became of the wish to take an invoice back. */
export type InvoiceCancellation =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'already_paid' }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'unknown_invoice' }
  /** The node could not be asked: the invoice is as it was. */
  | { readonly kind: 'node_unavailable' };
