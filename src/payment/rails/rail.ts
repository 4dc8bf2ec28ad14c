import type { Msat } from '../../kernel/money.js';
import type { PaymentIntent } from '../payment-policy.js';
import type { NewPayment } from '../payment.beginner.js';
import type { PaymentEnd, PaymentOutcome } from '../payment.outcome.js';

/** Who pays. */
export interface RailPayer {
  readonly userId: string;
  readonly walletId: string;
  readonly memo?: string | null | undefined;
}

/** What a payment moves or holds, and for which payee. */
export interface PaymentQuote extends Omit<NewPayment, 'id' | 'userId' | 'walletId' | 'principalId' | 'clientId'> {
  readonly kind: 'quote';
  /** The payer's account, if the payment may be in flight: its events are published to the account. */
  readonly accountId: string | null;
  /** The public key that a Lightning invoice names; null for a wallet of Sluice. */
  readonly payeeNodeId: string | null;
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

/** A way that money leaves a wallet. `PaymentService` begins what a rail has quoted, and what has begun is sent by the same rail. */
export interface PaymentRail<Order> {
  readonly name: PaymentIntent['rail'];
  quote(payer: RailPayer, order: Order): Promise<PaymentQuote | Refused>;
  /** The statement that began the payment has settled it, or it is a retry of one that has settled since. */
  settledAtOnce?(quote: PaymentQuote): void;
  /**
   * Sends, with no transaction open. Absent: every payment of this rail ends in the statement that begins it. Never rejects.
   * @param ageMs time since before the payment began, so that no payment is sent after its lease
   * @returns how it ended; undefined: an event reports that
   */
  send?(payment: BegunPayment, quote: PaymentQuote, ageMs: () => number): Promise<PaymentEnd | undefined>;
}
