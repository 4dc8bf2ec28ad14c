import type { Network } from '../../platform/config/index.js';

// The requests and answers of `LightningBackend`. Hashes, preimages and node ids are lower-case hex.

/** The current state of the node. */
export type NodeInfo =
  | {
      readonly status: 'ready';
      readonly nodeId: string;
      readonly network: Network;
      readonly alias: string;
      /** Of the latest block that the node knows. Absent if the node does not report it. */
      readonly blockHeight?: number;
      /** Of the same block: 32 bytes in hex, as explorers write it. Absent if the node does not report it. */
      readonly blockHash?: string;
    }
  | { readonly status: 'unknown' };

/** All channels together. */
export type ChannelBalance =
  | {
      readonly status: 'known';
      /** The node's own share of open channels. */
      readonly localMsat: bigint;
      /** The share of the peers: what the node can receive, at most. */
      readonly remoteMsat: bigint;
      /** Of the node, and set aside for payments that are in flight. */
      readonly inFlightMsat: bigint;
    }
  | { readonly status: 'unsupported' }
  | { readonly status: 'unknown' };

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

/** `settled`: the payer was faster; the settlement stream reports it. `not_found`: the node has no such invoice to be paid. */
export type CancelledInvoice = 'cancelled' | 'settled' | 'not_found' | 'unknown' | 'unsupported';

export type InvoiceState =
  /** A payment can still arrive: also past the expiry, while the node has accepted part of one. `paymentRequest`: as `createInvoice` returned it. */
  | { readonly status: 'open'; readonly paymentRequest: string }
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
  /** When the node got it, the same each time that it is streamed. */
  readonly settledAt: Date;
}

export interface PaymentRequest {
  /** As `decodeInvoice` writes it. */
  readonly paymentRequest: string;
  readonly paymentHash: string;
  /** The payee's amount: that of the invoice, or the payer's choice if the invoice has none. */
  readonly amountMsat: bigint;
  /** The maximum cost of the route beside the amount. Hold exactly this much. */
  readonly feeLimitMsat: bigint;
  /** How long the caller waits. The payment itself may live longer. */
  readonly timeoutSeconds: number;
  /**
   * The adapter calls it as soon as the node reports this payment in flight, and as often as the node does. From then on a hold is not
   * released because the node no longer knows the payment. An adapter whose node reports nothing before the end asks it meanwhile.
   */
  readonly onInFlight?: () => void;
  /** Capability `delivery_proof`: asked in the turn of the event loop in which the request is written. True: it is not sent (`not_sent`). */
  readonly isLate?: () => boolean;
  /** Capability `delivery_proof`: called after `unknown`, as soon as the connection too has ended by which the call was made. */
  readonly onDisconnected?: () => void;
}

export const PAYMENT_FAILURES = [
  'no_route', // no route, or none within the fee limit
  'insufficient_liquidity', // our channels do not hold the amount
  'expired', // the invoice has expired
  'rejected', // the payee refuses it: cancelled, already paid, another amount
  'timeout', // parts of it never arrived, and all parts came back
  'error', // an internal error of the node, with nothing in flight
] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

export interface SettledPayment {
  readonly status: 'settled';
  /** The proof of payment: its SHA-256 is the payment hash. */
  readonly preimage: string;
  /** What the route cost. A faulty node may report more than the limit: the difference is the operator's loss. */
  readonly feeMsat: bigint;
}

/** Final: nothing is in flight and nothing will be. */
export interface FailedPayment {
  readonly status: 'failed';
  readonly reason: PaymentFailure;
}

export type PayResult =
  | SettledPayment
  | FailedPayment
  /**
   * This call has sent nothing to the node and never will; in any doubt return `unknown`. Sluice releases the money at once. `isKnown`: the
   * node has refused it because it has this hash in flight, or has paid it, for another call.
   */
  | { readonly status: 'not_sent'; readonly isKnown?: boolean }
  /** Not a failure: the payment may be in flight. Keep the hold and call `lookupPayment`. */
  | { readonly status: 'unknown' };

export type PaymentStatus =
  | SettledPayment
  | FailedPayment
  | { readonly status: 'in_flight' }
  /** The node has no record: it never began the payment, is about to, or has lost its records. Sluice does not release money at once. */
  | { readonly status: 'not_found' }
  | { readonly status: 'unknown' };

/** The node's highest payment number; `unsupported`: this node does not number payments; `unknown`: it cannot be asked now. */
export type PaymentIndex = bigint | 'unsupported' | 'unknown';

/** A payment as the node's list shows it. */
export interface NodePayment {
  readonly index: bigint;
  readonly paymentHash: string;
  readonly state: 'in_flight' | 'settled' | 'failed';
  readonly amountMsat: bigint;
  /** 0 until it is settled. */
  readonly feeMsat: bigint;
  readonly createdAt: Date;
}

/** In the order of their indexes. Fewer than were asked for: there are no more. */
export type PaymentPage =
  | { readonly status: 'known'; readonly payments: readonly NodePayment[] }
  | { readonly status: 'unsupported' }
  | { readonly status: 'unknown' };

export interface FeeProbeRequest {
  /** As `decodeInvoice` writes it. */
  readonly paymentRequest: string;
  /** As in `PaymentRequest`. */
  readonly amountMsat: bigint;
  /** A route that costs more is none. */
  readonly feeLimitMsat: bigint;
}

/** `known`: an estimate that binds no one. `no_route`: no single route within the limit, or this invoice is not paid with this amount. */
export type FeeProbe =
  | { readonly status: 'known'; readonly feeMsat: bigint }
  | { readonly status: 'no_route' }
  | { readonly status: 'unsupported' }
  | { readonly status: 'unknown' };

/** The end of an attempt, as the stream reports it. */
export type FinalPayment = (SettledPayment | FailedPayment) & { readonly paymentHash: string };
