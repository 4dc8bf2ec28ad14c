import type {
  CancelledInvoice,
  ChannelBalance,
  CreatedInvoice,
  FeeProbe,
  FeeProbeRequest,
  FinalPayment,
  InvoiceRequest,
  InvoiceSettlement,
  InvoiceState,
  NodeInfo,
  PayResult,
  PaymentIndex,
  PaymentPage,
  PaymentRequest,
  PaymentStatus,
} from './lightning-messages.js';
import type { LIGHTNING_PORT_VERSION, LightningCapability } from './lightning-port.js';

export * from './lightning-messages.js';

/**
 * One Lightning node: the port that every adapter implements, and its own injection token.
 *
 * Every method is total: it resolves to a value and never rejects. An error on the way to the node is `unknown`, because what was sent
 * may have arrived. The adapter sets a timeout for every call. Hashes, preimages and node ids are lower-case hex. Every amount is in msat.
 *
 * What a node may be unable to do is a capability. The core calls a method of a capability only if the adapter declares it; the others need
 * not be written by an adapter that extends this class.
 * `lightningBackendContract()` in `testing/` is the executable form of this contract.
 */
export abstract class LightningBackend {
  /**
   * The version of the port that the adapter was made for. Write the number itself, not the constant: Sluice refuses at its start an adapter
   * that was made for another version, and the compiler refuses it before.
   */
  abstract readonly portVersion: typeof LIGHTNING_PORT_VERSION;

  /** What the node can do. Constant, and known once the adapter is constructed. Sluice needs `own_preimage` and `settle_index` of each. */
  abstract readonly capabilities: ReadonlySet<LightningCapability>;

  /**
   * The node's public key: 33 bytes in hex. Payments and settlements are pinned to it. Known once the application has started: an
   * adapter that has to ask its node does so in its factory or in `onModuleInit`.
   */
  abstract readonly nodeId: string;

  /** Asks the node whether it is ready, and on which network. For health checks, and before a stream is opened. */
  abstract info(): Promise<NodeInfo>;

  /** Creates an invoice that this node accepts one payment of, until it expires or is cancelled. */
  abstract createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>;

  /** Idempotent; after `cancelled` or `not_found` no payment of the invoice can arrive. Capability `cancel_invoice`. */
  async cancelInvoice(_paymentHash: string): Promise<CancelledInvoice> {
    return 'unsupported';
  }

  /** The node keeps a settled invoice with the index that the stream reported: from it the caller detects a restarted index. */
  abstract lookupInvoice(paymentHash: string): Promise<InvoiceState>;

  /**
   * Pays, and waits for the outcome up to `timeoutSeconds`. At most one attempt per hash is live, and only a failed one can be followed by
   * another: a repeated call sends nothing and returns `not_sent` with `isKnown`, or the outcome of the first one.
   * Sluice calls it once for a payment, so a hash that the node knows is a payment of another program, and the payer is not charged.
   *
   * It must not be delivered late. Without a connection it returns `not_sent` and drops the request: a request that is queued, or retried
   * by a client library, and reaches the node after the call has ended, may pay what was released to the payer long ago. As soon as a byte
   * of it may have left, the result is `unknown`.
   *
   * It pays the amount of the invoice and no other: an invoice with an amount and a request with another one is `failed`, as is an amount of
   * 0. Without the capability `fee_limit` the core never calls it.
   */
  abstract pay(request: PaymentRequest): Promise<PayResult>;

  /** The status of the latest attempt that has reached the node. */
  abstract lookupPayment(paymentHash: string): Promise<PaymentStatus>;

  /**
   * The same over a connection that is opened after this call. Capability `delivery_proof`, by which the adapter promises: the node records a
   * payment soon after it has read the request, and `pay` writes the request to the connection that was ready when it was called, in the turn
   * in which `isLate` said no. So a request whose connection has ended, or whose process is gone, has not reached the node, and will not, if this
   * says `not_found` twice, `PAYMENT_NOT_FOUND_MINUTES` apart. Without it, that has to be so for `PAYMENT_NOT_FOUND_HOURS`.
   */
  async lookupPaymentAnew(_paymentHash: string): Promise<PaymentStatus> {
    return { status: 'unknown' };
  }

  /**
   * The highest number that the node has given to a payment it was asked for, 0 if there was none. It grows with every payment that the
   * node begins, failed ones too, and never goes down while the node keeps its records: a smaller number than before means that the node
   * was restored from an older copy, or that records were deleted, so that `not_found` proves nothing. A node whose number may go down for
   * another reason, or that has none, lacks the capability `payment_index`: then only the operator releases a payment that was sent and is
   * not found.
   */
  async latestPaymentIndex(): Promise<PaymentIndex> {
    return 'unsupported';
  }

  /**
   * The payments that the node was asked for with an index above `afterIndex`, by whichever program, failed ones too. From it Sluice learns
   * what the node paid that the ledger does not know. Capability `payment_list`, which includes `payment_index`.
   */
  async listPayments(_afterIndex: bigint, _limit: number): Promise<PaymentPage> {
    return { status: 'unsupported' };
  }

  /**
   * Estimates what a route for a payment costs now. It sends nothing that could settle, ends within the deadline of every call, and returns
   * no part of the route. A payment in several parts may find a way where this finds none. Capability `fee_probe`.
   */
  async probeFee(_request: FeeProbeRequest): Promise<FeeProbe> {
    return { status: 'unsupported' };
  }

  /** For the operator: what the node has is compared with what the ledger owes. Capability `channel_balance`. */
  async channelBalance(): Promise<ChannelBalance> {
    return { status: 'unsupported' };
  }

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
