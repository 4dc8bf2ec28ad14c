import type { ErrorCode, Problem } from '../graphql/index.js';
import { assertNever } from '../kernel/assert-never.js';
import { dollarsOfCents } from '../price/index.js';
import type { FeeProbeOutcome, PaymentOutcome, PaymentRefusal, SendFailure } from './payment.outcome.js';

/** The payload of a send; its transaction is read only if the client selects it. */
export interface PaymentSendRow {
  readonly errors: readonly Problem[];
  readonly status: 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ALREADY_PAID';
  readonly transactionId: string | null;
  /** Id of a payment that may or may not have begun. It goes into the response's `extensions`. */
  readonly unconfirmedId?: string;
}

type Argument = 'walletId' | 'recipientWalletId' | 'amount' | 'paymentRequest' | 'lnAddress' | 'lnurl';
type PaymentErrorText = readonly [ErrorCode, message: string, argument?: Argument];

/** `$limit`: the limit of the account, in dollars. */
const LIMITED: PaymentErrorText = ['TRANSACTION_RESTRICTED', 'Cannot transfer more than $limit in 24 hours'];
const NO_ROUTE: PaymentErrorText = ['ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'];

/** Clients match these codes and texts: keep them. */
const REFUSALS: Readonly<Record<PaymentRefusal, PaymentErrorText>> = {
  undecodable_invoice: ['INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest', 'paymentRequest'],
  wrong_network: ['INVOICE_DECODE_ERROR', 'The invoice is for another network', 'paymentRequest'],
  no_amount: ['INVALID_INPUT', 'The invoice does not state an amount', 'paymentRequest'],
  has_amount: ['INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen', 'paymentRequest'],
  invalid_amount: ['INVALID_INPUT', 'A valid satoshi amount is required', 'amount'],
  invalid_cents: ['INVALID_INPUT', 'A valid usd amount is required', 'amount'],
  invalid_ln_address: ['INVALID_INPUT', 'Invalid value for LnAddress', 'lnAddress'],
  invalid_lnurl: ['INVALID_INPUT', 'Invalid value for Lnurl', 'lnurl'],
  out_of_bounds: ['INVALID_INPUT', 'The recipient does not accept this amount; nothing was sent', 'amount'],
  // One text for all that can go wrong: two would show the caller what Sluice's network reaches.
  no_lnurl_invoice: [
    'LNURL_REQUEST_INVOICE_ERROR',
    "The recipient's server did not return a valid invoice; nothing was sent",
    'paymentRequest',
  ],
  attempt_reused: ['IDEMPOTENCY_CONFLICT', 'Another payment was made under this name; this one was not sent'],
  unknown_wallet: ['NOT_FOUND', 'Wallet not found', 'walletId'],
  unknown_recipient: ['NOT_FOUND', 'Wallet not found', 'recipientWalletId'],
  wrong_currency: ['INVALID_INPUT', "Unsupported operation for wallet's currency.", 'walletId'],
  no_price: ['PRICE_UNAVAILABLE', 'There is no price of dollars to be trusted now; nothing was sent. Please try again later.'],
  amount_too_small: ['INVALID_INPUT', 'The amount is too small to be exchanged: it is worth less than a cent or a satoshi', 'amount'],
  dealer_limit: ['DEALER_LIMIT', 'This server accepts no more dollars at present; nothing was sent. Please try again later.'],
  self_payment: ['CANT_PAY_SELF', 'User tried to pay themselves'],
  expired: ['LIGHTNING_PAYMENT_ERROR', 'The invoice has expired', 'paymentRequest'],
  cancelled: ['LIGHTNING_PAYMENT_ERROR', 'The invoice was cancelled', 'paymentRequest'],
  wrong_amount: ['INVALID_INPUT', 'The amount differs from the amount of the invoice', 'paymentRequest'],
  text_mismatch: [
    'INVOICE_TEXT_MISMATCH',
    'The text differs from the invoice that this server issued for this payment hash; nothing was sent',
    'paymentRequest',
  ],
  not_our_invoice: [
    'LIGHTNING_PAYMENT_ERROR',
    'The invoice names this server as recipient, but this server did not issue it; nothing was sent',
    'paymentRequest',
  ],
  being_paid: ['INVOICE_BEING_PAID', 'Another account is paying this invoice now; nothing was sent', 'paymentRequest'],
  paid_by_other: ['LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid', 'paymentRequest'],
  insufficient: ['INSUFFICIENT_BALANCE', 'The balance does not cover the amount and the fee limit', 'walletId'],
  account_frozen: ['ACCOUNT_FROZEN', 'The operator of this server has stopped the payments of this account; nothing was sent', 'walletId'],
  sends_stopped: ['SENDS_STOPPED', 'This server sends no payments at present; nothing was sent. Please try again later.'],
  daily_budget: ['TRANSACTION_RESTRICTED', 'daily spending limit exceeded'],
  weekly_budget: ['TRANSACTION_RESTRICTED', 'weekly spending limit exceeded'],
  monthly_budget: ['TRANSACTION_RESTRICTED', 'monthly spending limit exceeded'],
  annual_budget: ['TRANSACTION_RESTRICTED', 'annual spending limit exceeded'],
  withdrawal_limit: LIMITED,
  internal_send_limit: LIMITED,
  convert_limit: LIMITED,
  out_of_range: ['INVALID_INPUT', 'The amount exceeds what a wallet can hold', 'amount'],
  busy: ['PAYMENT_BUSY', 'The wallet or the invoice is busy; nothing was sent. Please try again in a moment.'],
  not_begun: ['PAYMENT_NOT_SENT', 'The payment could not be started; nothing was sent. Please try again in a moment.'],
  unsupported: ['LIGHTNING_UNSUPPORTED', 'The Lightning node of this server cannot limit the fee of a payment, so nothing was sent'],
  refused: ['LIGHTNING_PAYMENT_ERROR', 'The payment was rejected; nothing was sent'],
};

const FAILURES: Readonly<Record<SendFailure, PaymentErrorText>> = {
  no_route: NO_ROUTE,
  insufficient_liquidity: NO_ROUTE,
  expired: REFUSALS.expired,
  rejected: ['LIGHTNING_PAYMENT_ERROR', 'The recipient rejected the payment'],
  timeout: ['LIGHTNING_PAYMENT_ERROR', 'The payment timed out; nothing was charged'],
  error: ['LIGHTNING_PAYMENT_ERROR', 'The Lightning node could not send the payment; nothing was charged'],
  not_found: ['LIGHTNING_PAYMENT_ERROR', 'The payment did not reach the Lightning node; nothing was charged'],
  operator: ['LIGHTNING_PAYMENT_ERROR', 'The operator of this server ended the payment; nothing was charged'],
  never_sent: ['LIGHTNING_PAYMENT_ERROR', 'The payment was never sent; nothing was charged'],
};

/** `$1000`, or `$12.50`. */
const dollars = (cents: bigint): string => `$${dollarsOfCents(cents).replace(/\.00$/, '')}`;

function refusalText({ reason, limitCents = 0n }: Extract<PaymentOutcome, { kind: 'refused' }>): PaymentErrorText {
  const [code, message, argument] = REFUSALS[reason];
  return [code, message.replace('$limit', () => dollars(limitCents)), argument];
}

const problem = ([code, message, argument]: PaymentErrorText, named: Argument = 'paymentRequest'): Problem => ({
  code,
  message,
  path: argument ? ['input', argument === 'paymentRequest' ? named : argument] : null,
});

/** @param named the argument from which Sluice got the invoice */
export function sendPayload(outcome: PaymentOutcome, named: Argument = 'paymentRequest'): PaymentSendRow {
  switch (outcome.kind) {
    case 'settled':
      return { errors: [], status: 'SUCCESS', transactionId: outcome.transactionId };
    case 'pending':
      return { errors: [], status: 'PENDING', transactionId: outcome.transactionId };
    case 'unconfirmed':
      return { errors: [], status: 'PENDING', transactionId: null, unconfirmedId: outcome.transactionId };
    case 'already_paid':
      return { errors: [], status: 'ALREADY_PAID', transactionId: outcome.transactionId };
    case 'failed':
      return { errors: [problem(FAILURES[outcome.reason], named)], status: 'FAILURE', transactionId: outcome.transactionId };
    case 'refused':
      return { errors: [problem(refusalText(outcome), named)], status: 'FAILURE', transactionId: null };
    case 'vetoed':
      return { errors: [{ code: outcome.code, message: outcome.message, path: null }], status: 'FAILURE', transactionId: null };
    default:
      return assertNever(outcome);
  }
}

/** Without a route the fee limit stands beside the error, as clients of this API may expect. */
export function feeProbePayload(outcome: FeeProbeOutcome): { readonly errors: readonly Problem[]; readonly amount: number | null } {
  switch (outcome.kind) {
    case 'known':
      return { errors: [], amount: outcome.fee };
    case 'no_route':
      return { errors: [problem(NO_ROUTE)], amount: outcome.limit };
    case 'refused':
      return { errors: [problem(REFUSALS[outcome.reason])], amount: null };
    default:
      return assertNever(outcome);
  }
}
