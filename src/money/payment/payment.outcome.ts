import type { PaymentFailure, SettledPayment } from '../lightning/index.js';
import type { BillNow } from '../price/index.js';
import type { PaymentRefusal } from './payment.refusals.js';

export type FeeProbeOutcome =
  /**
   * The estimate, or, where there is none, the fee limit, which is the most that the payment can cost. In satoshis, or in cents from a wallet in
   * dollars. `ownWalletId`: the wallet of this server that the invoice pays into; `ownCents`: what a wallet in dollars pays for it;
   * `billNow`: what one in bitcoin pays for it, where the price of dollars decides that. What that is beyond the invoice's amount counts as the fee.
   */
  | {
      readonly kind: 'known';
      readonly fee: number;
      readonly limit: number;
      readonly ownWalletId?: string;
      readonly ownCents?: bigint | null;
      readonly billNow?: BillNow;
    }
  | { readonly kind: 'no_route'; readonly limit: number }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal };

/**
 * Why a payment that had begun was not made. `never_sent`: the node did not get it, and will not (the port's `not_sent`, or never dispatched).
 * `known_to_node`: another program has sent this hash by the node; `findReleased` leaves it out, so its end is booked to no payment.
 * `not_found`: Sluice dispatched it, and the node has not known it for `notFoundSeconds`. `operator`: the operator ended it. The rest are of
 * payments that waited for their owner: `denied`, `approval_expired`, or why one that was approved could not begin.
 */
export type SendFailure =
  PaymentFailure | 'never_sent' | 'known_to_node' | 'not_found' | 'operator' | 'denied' | 'approval_expired' | PaymentRefusal;

/** A payment that waits, or has waited, for its owner; its id is that of the payment. */
export interface Approval {
  readonly id: string;
  readonly expiresAt: Date;
}

export interface PaymentInFlight {
  readonly id: string;
  readonly paymentHash: string;
}

/** `unsent` and `lost` are failures that `payment_finish` accepts only if they still hold once it has locked the payment. */
export type FinalStatus = SettledPayment | { readonly status: 'failed' | 'unsent' | 'lost'; readonly reason: SendFailure };

export type PaymentEnd = Extract<PaymentOutcome, { kind: 'settled' | 'failed' }>;

export type Refused = Extract<PaymentOutcome, { kind: 'refused' }>;

export const refused = (reason: PaymentRefusal): Refused => ({ kind: 'refused', reason });

/** A payment that has begun, or may have, and its end. Only a caller that wants the end waits for it. */
export interface BegunPayment {
  readonly kind: 'begun';
  readonly transactionId: string;
  readonly end: Promise<PaymentOutcome>;
}

export type PaymentStart = PaymentOutcome | BegunPayment;

/** Result of a send; `pending` if not final yet. */
export type PaymentOutcome =
  | { readonly kind: 'settled'; readonly transactionId: string }
  /** Made for its payer: the money is held, and a later transaction on chain pays it. An event reports the end. */
  | { readonly kind: 'queued'; readonly transactionId: string }
  /** In flight: the money is held, and an event will report the end. With `approval` it waits for its owner first, and nothing is held. */
  | { readonly kind: 'pending'; readonly transactionId: string; readonly approval?: Approval | undefined }
  /** The database did not confirm that the payment has begun. If it has, the history has it under `transactionId`. */
  | { readonly kind: 'unconfirmed'; readonly transactionId: string }
  /** This account paid this invoice before, by that transaction. */
  | { readonly kind: 'already_paid'; readonly transactionId: string }
  /** Begun and finally failed: the hold is released. */
  | { readonly kind: 'failed'; readonly transactionId: string; readonly reason: SendFailure }
  | {
      readonly kind: 'refused';
      readonly reason: PaymentRefusal;
      /** The limit of the account that does not cover it, in US cents. */
      readonly limitCents?: bigint;
    }
  /** Refused by the organisation's `PaymentPolicy`, in its words. Nothing moved, nothing is held. */
  | { readonly kind: 'vetoed'; readonly code: string; readonly message: string };
