import type { PaymentFailure } from '../lightning/index.js';

/** Why a payment was not begun. Nothing moved, nothing is held. */
export type PaymentRefusal =
  | 'undecodable_invoice'
  | 'wrong_network'
  | 'no_amount'
  | 'invalid_amount'
  | 'unknown_wallet'
  | 'unknown_recipient'
  | 'wrong_currency'
  | 'wrong_recipient_currency'
  | 'self_payment'
  | 'expired'
  | 'cancelled'
  | 'wrong_amount'
  | 'text_mismatch'
  | 'not_our_invoice'
  | 'being_paid'
  | 'paid_by_other'
  | 'insufficient'
  | 'out_of_range'
  | 'busy'
  | 'not_begun'
  | 'refused';

/**
 * Why a payment that had begun was not made. `never_sent`: the node was not asked, and will not be. `not_found`: it was asked, and has said
 * long enough that it knows nothing of it. `operator`: the operator has ended it.
 */
export type SendFailure = PaymentFailure | 'never_sent' | 'not_found' | 'operator';

/** How the wish to pay ended, as far as it has. */
export type PaymentOutcome =
  | { readonly kind: 'settled'; readonly transactionId: string }
  /** Under way: the money is held, and its end will be told by events. */
  | { readonly kind: 'pending'; readonly transactionId: string }
  /** The database did not say whether it has begun. If it has, `transactionId` will be found in the history. */
  | { readonly kind: 'unconfirmed'; readonly transactionId: string }
  /** This account paid this invoice before; that transaction. */
  | { readonly kind: 'already_paid'; readonly transactionId: string }
  /** Begun and failed for good: what was held is free again. */
  | { readonly kind: 'failed'; readonly transactionId: string; readonly reason: SendFailure }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal };
