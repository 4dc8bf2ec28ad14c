import { isAmount, MAX_AMOUNT_MSAT, msatOfSats, type Msat } from '../../../platform/kernel/money.js';
import type { PaymentStatus } from '../../lightning/index.js';
import { wholeMsatOf } from '../../price/index.js';
import type { PaymentEnd, Refused } from '../payment.outcome.js';
import type { PaymentRefusal } from '../payment.refusals.js';
import type { PayoutOrder } from '../payout/payout.entity.js';

export interface RailPayer {
  readonly userId: string;
  readonly walletId: string;
  readonly memo?: string | null | undefined;
}

export interface ChosenAmount {
  readonly amountSats?: number | undefined;
  readonly amountCents?: number | undefined;
}

/** @param ask the dealer's price of bitcoin, for an amount in cents; null: it has none */
export function chosenMsat({ amountSats, amountCents }: ChosenAmount, ask: bigint | null): Msat | PaymentRefusal {
  if (amountSats !== undefined) return isAmount(amountSats) ? msatOfSats(amountSats) : 'invalid_amount';
  if (amountCents === undefined || !isAmount(amountCents)) return 'invalid_cents';
  if (ask === null) return 'no_price';
  const bought = wholeMsatOf(BigInt(amountCents), ask);
  if (bought > MAX_AMOUNT_MSAT) return 'out_of_range';
  return bought || 'amount_too_small';
}

export interface PaymentQuote {
  readonly kind: 'quote';
  /** The payer's account, if the payment may be in flight: its events are published to the account. */
  readonly accountId: string | null;
  readonly payee: { readonly nodeId: string } | { readonly walletId: string } | { readonly address: string };
  /** At most one of `paymentHash` and `recipientWalletId` is set; neither for a payment on chain. */
  readonly recipientWalletId: string | null;
  readonly paymentHash: string | null;
  /** An invoice, or a bitcoin address. */
  readonly paymentRequest: string | null;
  readonly expiresAt: Date | null;
  readonly amountMsat: bigint;
  readonly feeLimitMsat: bigint;
  readonly memo: string | null;
  readonly nodeId: string | null;
  readonly toNode: boolean;
  /** An amount that was chosen in cents, for a wallet in dollars; null: `amountMsat` was chosen. */
  readonly amountCents: bigint | null;
  /** The prices that the dealer has promised. None: null; of a Lightning payment 0. */
  readonly bid: bigint | null;
  readonly ask: bigint | null;
  /** How a payment on chain is queued. */
  readonly payout?: PayoutOrder;
}

/** What the quote of a payment says that no node sends. */
export const WITHOUT_NODE = { kind: 'quote', accountId: null, paymentHash: null, expiresAt: null, nodeId: null, toNode: false } as const;

export interface BegunPayment {
  readonly id: string;
  readonly userId: string;
  readonly amountMsat: Msat;
  readonly feeLimitMsat: Msat;
}

export interface SentPayment {
  readonly paymentHash: string;
  /** The public key of the node that was asked to send it: another one knows nothing about the payment. */
  readonly nodeId: string;
  /** Nothing of the request can still leave the process that has sent it. */
  readonly isSenderGone?: boolean;
}

/** `other_node`: the node that sent the payment is not connected. `isAnew`: over a connection that was opened after the sender was gone. */
export type RailStatus = (PaymentStatus & { readonly isAnew?: boolean }) | { readonly status: 'other_node' };

export type RailName = 'lightning' | 'intraledger' | 'onchain';

interface Rail<Order, Quote extends PaymentQuote> {
  readonly name: RailName;
  quote(payer: RailPayer, order: Order): Promise<Quote | Refused>;
  /** The statement that began the payment has settled it, or it is a retry of one that has settled since. */
  settledAtOnce?(quote: Quote): void;
}

/** Every payment of this rail ends in the statement that begins it, or is queued by it. */
export interface InstantRail<Order, Quote extends PaymentQuote = PaymentQuote> extends Rail<Order, Quote> {
  readonly send?: undefined;
  /** What has begun is in a queue that others send from: for its payer it is made. */
  readonly isQueued?: boolean;
}

export interface SendingRail<Order, Quote extends PaymentQuote> extends Rail<Order, Quote> {
  readonly isQueued?: undefined;
  /**
   * Sends, with no transaction open. Never rejects.
   * @param ageMs time since before the payment began, so that no payment is sent after its lease
   * @returns how it ended; undefined: an event reports that
   */
  send(payment: BegunPayment, quote: Quote, ageMs: () => number): Promise<PaymentEnd | undefined>;
  readonly isReady: boolean;
  /** The reconcilers ask it until the payment has a final status. */
  status(payment: SentPayment): Promise<RailStatus>;
}

/** A way that money leaves a wallet. `PaymentService` begins what a rail has quoted, and what has begun is sent by the same rail. */
export type PaymentRail<Order, Quote extends PaymentQuote> = InstantRail<Order, Quote> | SendingRail<Order, Quote>;
