import type { Network } from '../config/index.js';

/** The current state of the node. */
export type NodeInfo =
  { readonly status: 'ready'; readonly nodeId: string; readonly network: Network; readonly alias: string } | { readonly status: 'unknown' };

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
export type CancelledInvoice = 'cancelled' | 'settled' | 'not_found' | 'unknown';

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
   * released because the node no longer knows the payment. An adapter whose node reports nothing before the end never calls it.
   */
  readonly onInFlight?: () => void;
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
  /** This call has sent nothing to the node and never will; in any doubt return `unknown`. Sluice releases the money at once. */
  | { readonly status: 'not_sent' }
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

/** The end of an attempt, as the stream reports it. */
export type FinalPayment = (SettledPayment | FailedPayment) & { readonly paymentHash: string };

/**
 * One Lightning node: the port that every adapter implements, and its own injection token.
 *
 * Every method is total: it resolves to a value and never rejects. An error on the way to the node is `unknown`, because what was sent
 * may have arrived. The adapter sets a timeout for every call. Hashes, preimages and node ids are lower-case hex.
 * `lightningBackendContract()` in `testing/` is the executable form of this contract.
 */
export abstract class LightningBackend {
  /**
   * The node's public key: 33 bytes in hex. Payments and settlements are pinned to it. Known once the application has started: an
   * adapter that has to ask its node does so in its factory or in `onModuleInit`.
   */
  abstract readonly nodeId: string;

  /** Asks the node whether it is ready, and on which network. For health checks, and before a stream is opened. */
  abstract info(): Promise<NodeInfo>;

  /** Creates an invoice that this node accepts one payment of, until it expires or is cancelled. */
  abstract createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>;

  /** Cancels an invoice. Idempotent; after `cancelled` or `not_found` no payment of it can arrive. */
  abstract cancelInvoice(paymentHash: string): Promise<CancelledInvoice>;

  /** The node keeps a settled invoice with the index that the stream reported: from it the caller detects a restarted index. */
  abstract lookupInvoice(paymentHash: string): Promise<InvoiceState>;

  /**
   * Pays, and waits for the outcome up to `timeoutSeconds`. At most one attempt per hash is live, and only a failed one can be followed by
   * another: a repeated call sends nothing and returns the outcome of the first one.
   *
   * It must not be delivered late. Without a connection it returns `not_sent` and drops the request: a request that is queued, or retried
   * by a client library, and reaches the node after the call has ended, may pay what was released to the payer long ago. As soon as a byte
   * of it may have left, the result is `unknown`.
   */
  abstract pay(request: PaymentRequest): Promise<PayResult>;

  /** The status of the latest attempt that has reached the node. */
  abstract lookupPayment(paymentHash: string): Promise<PaymentStatus>;

  /**
   * The highest number that the node has given to a payment it was asked for, 0 if there was none. It grows with every payment that the
   * node begins, failed ones too, and never goes down while the node keeps its records: a smaller number than before means that the node
   * was restored from an older copy, or that records were deleted, so that `not_found` proves nothing. A node whose number may go down for
   * another reason, or that has none, is `unsupported`: then only the operator releases a payment that was sent and is not found.
   */
  abstract latestPaymentIndex(): Promise<PaymentIndex>;

  /**
   * The payments that the node was asked for with an index above `afterIndex`, by whichever program, failed ones too. From it Sluice learns
   * what the node paid that the ledger does not know. Optional: an adapter without it is `unsupported`.
   */
  listPayments?(afterIndex: bigint, limit: number): Promise<PaymentPage>;

  /** For the operator: what the node has is compared with what the ledger owes. Optional like `listPayments`. */
  channelBalance?(): Promise<ChannelBalance>;

  /**
   * Payments of our invoices after the cursor: first the past ones, then new ones as they arrive. Indexes start at 1, never go down while
   * the node lives, may skip numbers and may be repeated; no payment is left out. A node that was restored may count from the start again:
   * then the stream ends. It ends on `signal` and whenever the node is lost: subscribe again with the index of the last payment that was
   * handled. It never throws.
   */
  abstract invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement>;

  /**
   * Attempts that end while this runs: in any order, some of them twice, before or after `pay` returns. The stream is quick, not complete:
   * it does not repeat what ended before it began or after it broke off, so payments in flight are looked up on a timer too. Act on
   * `settled`. `failed` may be about an earlier attempt than the one in flight: call `lookupPayment` first. Ends like `invoiceSettlements`.
   */
  abstract paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment>;
}
