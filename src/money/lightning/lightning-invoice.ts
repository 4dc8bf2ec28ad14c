export interface InvoiceRequest {
  /** Null leaves the amount to the payer; 0, less, and more than all bitcoin are refused as `invalid`. */
  readonly amountMsat: bigint | null;
  /** At most 639 bytes, else refused as `invalid`. Ignored beside `descriptionHash`. */
  readonly description?: string | undefined;
  /** SHA-256 of a text that is shown elsewhere (LNURL-pay's metadata); hex. */
  readonly descriptionHash?: string | undefined;
  /** From the creation on. 0 and less are refused as `invalid`. */
  readonly expirySeconds: number;
  /** 32 unguessable bytes in hex, else refused as `invalid`. The caller makes it: an internal payment needs the proof of payment at hand. */
  readonly preimage: string;
}

export type CreatedInvoice =
  | {
      readonly status: 'created';
      readonly nodeId: string;
      readonly paymentHash: string;
      readonly paymentRequest: string;
      readonly paymentSecret: string;
    }
  /** `duplicate`: the node has an invoice of this preimage; `lookupInvoice` returns it. `invalid`: see `InvoiceRequest`. */
  | { readonly status: 'refused'; readonly reason: 'duplicate' | 'invalid' }
  /** The node may have an invoice that no payer will get. Create another one, with another preimage. */
  | { readonly status: 'unknown' };

/** A hold invoice: its preimage is unknown to the node until `settleHoldInvoice`. */
export interface HoldInvoiceRequest extends Omit<InvoiceRequest, 'preimage'> {
  /** SHA-256 of the preimage: 32 bytes in hex, else refused as `invalid`. */
  readonly paymentHash: string;
}

/** `settled`: the payer was faster; the settlement stream reports it. `not_found`: the node has no such invoice to be paid. */
export type CancelledInvoice = 'cancelled' | 'settled' | 'not_found' | 'unknown' | 'unsupported';

export type CreatedHoldInvoice = CreatedInvoice | { readonly status: 'unsupported' };

/**
 * `settled`: the money is the node's, and the settlement stream reports it. `not_accepted`: no payment has arrived; nothing was settled, and
 * this call settles no later payment. `cancelled`: by the caller, or by the node before the payment or the invoice expired. `not_found`: the
 * node has no invoice of this preimage. `unknown`: it may be settled; repeat the call, or look the invoice up.
 */
export type SettledHoldInvoice = 'settled' | 'not_accepted' | 'cancelled' | 'not_found' | 'unknown' | 'unsupported';

export type InvoiceState =
  /** A payment can still arrive: also past the expiry, while the node has accepted part of one. `paymentRequest`: as `createInvoice` returned it. */
  | { readonly status: 'open'; readonly paymentRequest: string }
  /** A payment of a hold invoice has arrived in full and waits: settle or cancel it. `amountMsat`: what has arrived. */
  | { readonly status: 'accepted'; readonly paymentRequest: string; readonly amountMsat: bigint }
  | { readonly status: 'settled'; readonly settleIndex: bigint; readonly amountMsat: bigint }
  /** Cancelled by Sluice, or by the node after its expiry: final, no payment of it can arrive. */
  | { readonly status: 'cancelled' }
  | { readonly status: 'not_found' }
  | { readonly status: 'unknown' };

/** A payment of one of our invoices. Credit `amountMsat`, the amount received, which may exceed the amount requested. */
export interface InvoiceSettlement {
  readonly settleIndex: bigint;
  readonly paymentHash: string;
  readonly amountMsat: bigint;
  readonly settledAt: Date;
}
