import type { Network } from '../config/index.js';

/** The node as it answers now. */
export type NodeInfo =
  { readonly status: 'ready'; readonly nodeId: string; readonly network: Network; readonly alias: string } | { readonly status: 'unknown' };

export interface InvoiceRequest {
  /** Null leaves the amount to the payer. */
  readonly amountMsat: bigint | null;
  /** At most 639 bytes. Ignored beside `descriptionHash`. */
  readonly description?: string | undefined;
  /** SHA-256 of a text that is shown elsewhere (LNURL-pay's metadata); hex. */
  readonly descriptionHash?: string | undefined;
  readonly expirySeconds: number;
  /** 32 random bytes in hex. The caller makes it, because settling inside the house needs the proof of payment at hand. */
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
  /** `duplicate`: the node has an invoice of this preimage. `invalid`: amount, description or expiry fit no invoice. */
  | { readonly status: 'refused'; readonly reason: 'duplicate' | 'invalid' }
  /** The node may have an invoice that nobody will ever see. Make another one, of another preimage. */
  | { readonly status: 'unknown' };

/** `settled`: the payer was faster, and the settlement stream says or will say so. `not_found`: nothing that anybody could pay. */
export type CancelledInvoice = 'cancelled' | 'settled' | 'not_found' | 'unknown';

export type InvoiceState =
  | { readonly status: 'open' }
  | { readonly status: 'settled'; readonly settleIndex: bigint; readonly amountMsat: bigint }
  /** By us, or by the node because its time is over. */
  | { readonly status: 'cancelled' }
  | { readonly status: 'not_found' }
  | { readonly status: 'unknown' };

/** A payment of one of our invoices. `amountMsat` is what came, which may be more than was asked: that is to be credited. */
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
  /** What the payee is to get: the invoice's own amount, or the payer's choice where it has none. */
  readonly amountMsat: bigint;
  /** The most the route may cost beside the amount. Hold exactly this much. */
  readonly feeLimitMsat: bigint;
  /** How long the caller waits. The payment itself may live longer. */
  readonly timeoutSeconds: number;
  /**
   * Call it as soon as the node itself has said that it has this payment under way, if it says so; as often as it does. From then on what
   * the node forgets is not given back. An adapter whose node says nothing before the end never calls it.
   */
  readonly onInFlight?: () => void;
}

export const PAYMENT_FAILURES = [
  'no_route', // no way leads there, or none for this fee
  'insufficient_liquidity', // our channels do not hold the amount
  'expired', // the invoice's time is over
  'rejected', // the payee does not want it: cancelled, already paid, another amount
  'timeout', // parts of it never arrived, and all parts came back
  'error', // the node's own trouble, with nothing in flight
] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

export interface SettledPayment {
  readonly status: 'settled';
  /** The proof of payment: its SHA-256 is the payment hash. */
  readonly preimage: string;
  /** What the route cost. A broken node may report more than the limit: the difference is the operator's loss. */
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
  /** The node cannot have it: this call has sent nothing and never will. In any doubt it is `unknown`. Money is given back at once. */
  | { readonly status: 'not_sent' }
  /** Not a failure: the money may be under way. Keep it on hold and ask `lookupPayment`. */
  | { readonly status: 'unknown' };

export type PaymentStatus =
  | SettledPayment
  | FailedPayment
  | { readonly status: 'in_flight' }
  /** The node has no record of it: it never began it, begins it only now, or has lost its records. Money is not given back at once. */
  | { readonly status: 'not_found' }
  | { readonly status: 'unknown' };

/** How many payments the node counts; `unsupported`: this node does not count them; `unknown`: it cannot be asked now. */
export type PaymentIndex = bigint | 'unsupported' | 'unknown';

/** The end of an attempt, as the stream tells it. */
export type FinalPayment = (SettledPayment | FailedPayment) & { readonly paymentHash: string };

/**
 * One Lightning node: the port that every adapter implements, and its own injection token.
 *
 * Every method is total. It resolves to a value and never rejects: trouble on the way to the node is `unknown`, because what was sent
 * may have arrived. Every call has an end, set by the adapter. Hashes, preimages and node ids are lower-case hex.
 * `lightningBackendContract()` in `testing/` is the executable form of this page.
 */
export abstract class LightningBackend {
  /**
   * The node's public key: 33 bytes in hex. Payments and settlements are pinned to it. Known once the application has started: an
   * adapter that has to ask its node does so in its factory or in `onModuleInit`.
   */
  abstract readonly nodeId: string;

  /** Asks the node: whether it is there, and on which network. For health, and for whoever is about to listen to it. */
  abstract info(): Promise<NodeInfo>;

  /** Makes an invoice that this node will accept payment of, once, until it expires or is cancelled. */
  abstract createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>;

  /** Closes an invoice. Idempotent; after `cancelled` or `not_found` no payment of it can arrive. */
  abstract cancelInvoice(paymentHash: string): Promise<CancelledInvoice>;

  /** A settled invoice stays known, with the index that the stream told: from that the caller sees whether the index has begun again. */
  abstract lookupInvoice(paymentHash: string): Promise<InvoiceState>;

  /**
   * Pays, and waits for the outcome as long as the caller said. For a hash at most one attempt lives, and only one that failed can be
   * followed by another: a repeated call sends nothing and tells what became of the first one.
   *
   * It must not be delivered late. Without a connection it answers `not_sent` and forgets the request: one that is queued, or tried again
   * by a client library, and reaches the node after the call has ended may pay what was given back to the payer long ago. As soon as a
   * byte of it may have left, `unknown` is the answer.
   */
  abstract pay(request: PaymentRequest): Promise<PayResult>;

  /** What became of the latest attempt that has reached the node. */
  abstract lookupPayment(paymentHash: string): Promise<PaymentStatus>;

  /**
   * The highest number that the node has given to a payment it was asked for, 0 where there was none. It grows with every payment that
   * the node begins, failed ones too, and never goes down while the node keeps its records: a smaller one than before says that the node
   * was restored from an older copy, or that records were deleted, so that `not_found` says nothing. A node whose number may go down for
   * another reason, or that has none, is `unsupported`: then only the operator releases a payment that was sent and is not found.
   */
  abstract latestPaymentIndex(): Promise<PaymentIndex>;

  /**
   * Payments of our invoices behind the cursor, first those that are past, then as they happen. Indexes never go down while the node
   * lives, start at 1, may skip numbers and may be said again; nothing is left out. A node that was restored may count from the start
   * again: then the stream ends, as whenever the node is lost. It ends when `signal` says so and whenever the node is lost: subscribe
   * again with the index of the last one that was dealt with. It never throws.
   */
  abstract invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement>;

  /**
   * Attempts that end while this runs; in any order, some of them twice, and before or after `pay` answers. It is there to be quick, not
   * complete: what ends before it has begun or after it broke off is not said again, so whatever is in flight is looked up on a timer
   * too. `settled` can be acted on. `failed` may be that of an earlier attempt than the one under way: ask `lookupPayment` first.
   * Ends like `invoiceSettlements`.
   */
  abstract paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment>;
}
