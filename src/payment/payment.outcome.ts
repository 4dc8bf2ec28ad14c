import type { PaymentFailure } from '../lightning/index.js';

/** Refusals that need no statement of the database. */
export type EarlyRefusal =
  | 'undecodable_invoice'
  | 'wrong_network'
  | 'no_amount'
  | 'has_amount'
  | 'invalid_amount'
  | 'invalid_cents'
  | 'invalid_ln_address'
  | 'invalid_lnurl'
  | 'out_of_bounds'
  | 'no_lnurl_invoice';

/** Why a payment was not begun. Nothing moved, nothing is held. */
export type PaymentRefusal =
  | EarlyRefusal
  /** The attempt's name is that of another payment: of another wallet, amount or recipient. */
  | 'attempt_reused'
  | 'unknown_wallet'
  | 'unknown_recipient'
  | 'wrong_currency'
  | 'no_price'
  | 'amount_too_small'
  | 'dealer_limit'
  | 'self_payment'
  | 'expired'
  | 'cancelled'
  | 'wrong_amount'
  | 'text_mismatch'
  | 'not_our_invoice'
  | 'being_paid'
  | 'paid_by_other'
  | 'insufficient'
  | 'account_frozen'
  | 'sends_stopped'
  | 'daily_budget'
  | 'weekly_budget'
  | 'monthly_budget'
  | 'annual_budget'
  | 'withdrawal_limit'
  | 'internal_send_limit'
  | 'convert_limit'
  | 'out_of_range'
  | 'busy'
  | 'not_begun'
  | 'unsupported'
  | 'refused';

/** Result of a fee probe: what a payment would cost beside its amount. Nothing moved, nothing is held. */
export type FeeProbeOutcome =
  /**
   * The estimate, or, where there is none, the fee limit, which is the most that the payment can cost. In satoshis, or in cents from a wallet in
   * dollars. `ownWalletId`: the wallet of this server that the invoice pays into.
   */
  | { readonly kind: 'known'; readonly fee: number; readonly limit: number; readonly ownWalletId?: string }
  | { readonly kind: 'no_route'; readonly limit: number }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal };

/**
 * Why a payment that had begun was not made. `never_sent`: the node did not get it, and will not (the port's `not_sent`, or never dispatched).
 * `not_found`: Sluice dispatched it, and the node has not known it for `notFoundSeconds`. `operator`: the operator ended it.
 */
export type SendFailure = PaymentFailure | 'never_sent' | 'not_found' | 'operator';

/** How a payment ended: `failed` has released its hold. */
export type PaymentEnd = Extract<PaymentOutcome, { kind: 'settled' | 'failed' }>;

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
  /** In flight: the money is held, and an event will report the end. */
  | { readonly kind: 'pending'; readonly transactionId: string }
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
