import { isAmount, MAX_AMOUNT_MSAT, msatOfSats, type Msat } from '../../kernel/money.js';
import type { PaymentStatus } from '../../lightning/index.js';
import { wholeMsatOf } from '../../price/index.js';
import type { PaymentIntent } from '../payment-policy.js';
import type { NewPayment } from '../payment.beginner.js';
import type { PaymentEnd, PaymentOutcome } from '../payment.outcome.js';
import type { PaymentRefusal } from '../payment.refusals.js';

/** Who pays. */
export interface RailPayer {
  readonly userId: string;
  readonly walletId: string;
  readonly memo?: string | null | undefined;
}

/** The amount that the payer has chosen, in the currency of the payer's wallet. */
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

/** What a payment moves or holds, and for which payee. */
export interface PaymentQuote extends Omit<NewPayment, 'id' | 'userId' | 'walletId' | 'principalId' | 'clientId'> {
  readonly kind: 'quote';
  /** The payer's account, if the payment may be in flight: its events are published to the account. */
  readonly accountId: string | null;
  /** What the payment policy gets to know about the payee. */
  readonly payee: PaymentIntent['payee'];
}

/** A payment that has begun and is not over. */
export interface BegunPayment {
  readonly id: string;
  /** The payer. */
  readonly userId: string;
  readonly amountMsat: Msat;
  readonly feeLimitMsat: Msat;
}

export type Refused = Extract<PaymentOutcome, { kind: 'refused' }>;

/** A payment that has been sent, or may have been. */
export interface SentPayment {
  readonly paymentHash: string;
  /** The public key of the node that was asked to send it: another one knows nothing about the payment. */
  readonly nodeId: string;
}

/** What is known where a payment was sent; `other_node`: the node that sent it is not connected. */
export type RailStatus = PaymentStatus | { readonly status: 'other_node' };

interface Rail<Order> {
  readonly name: PaymentIntent['rail'];
  quote(payer: RailPayer, order: Order): Promise<PaymentQuote | Refused>;
  /** The statement that began the payment has settled it, or it is a retry of one that has settled since. */
  settledAtOnce?(quote: PaymentQuote): void;
}

/** Every payment of this rail ends in the statement that begins it. */
export interface InstantRail<Order> extends Rail<Order> {
  readonly send?: undefined;
}

/** A rail whose payments can be in flight. */
export interface SendingRail<Order> extends Rail<Order> {
  /**
   * Sends, with no transaction open. Never rejects.
   * @param ageMs time since before the payment began, so that no payment is sent after its lease
   * @returns how it ended; undefined: an event reports that
   */
  send(payment: BegunPayment, quote: PaymentQuote, ageMs: () => number): Promise<PaymentEnd | undefined>;
  /** False until it can be asked for the status of payments. */
  readonly isReady: boolean;
  /** What is known about a payment now. The reconcilers ask it until the payment has a final status. */
  status(payment: SentPayment): Promise<RailStatus>;
}

/** A way that money leaves a wallet. `PaymentService` begins what a rail has quoted, and what has begun is sent by the same rail. */
export type PaymentRail<Order> = InstantRail<Order> | SendingRail<Order>;
