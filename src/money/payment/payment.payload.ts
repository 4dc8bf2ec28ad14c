import type { ErrorCode, Problem } from '../../edge/graphql/index.js';
import { assertNever } from '../../platform/kernel/assert-never.js';
import { dollarsOfCents } from '../price/index.js';
import type { Approval, FeeProbeOutcome, PaymentOutcome, SendFailure } from './payment.outcome.js';
import { REFUSALS, type PaymentArgument, type PaymentRefusal } from './payment.refusals.js';

/** The payload of a send; its transaction is read only if the client selects it. */
export interface PaymentSendRow {
  readonly errors: readonly Problem[];
  readonly status: 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ALREADY_PAID';
  readonly transactionId: string | null;
  /** Its owner was asked: the next answer to the same request may be another one. */
  readonly approval?: Approval;
  /** Id of a payment that may or may not have begun. It goes into the response's `extensions`. */
  readonly unconfirmedId?: string;
}

type PaymentErrorText = readonly [ErrorCode, message: string, argument?: PaymentArgument];

const dollars = (cents: bigint): string => `$${dollarsOfCents(cents).replace(/\.00$/, '')}`;

function textOf(reason: PaymentRefusal, limitCents = 0n): PaymentErrorText {
  const { code, text, argument } = REFUSALS[reason];
  return [code, text.replace('$limit', () => dollars(limitCents)), argument];
}

const NO_ROUTE: PaymentErrorText = ['ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'];

const FAILURES: Readonly<Record<Exclude<SendFailure, Exclude<PaymentRefusal, 'expired'>>, PaymentErrorText>> = {
  no_route: NO_ROUTE,
  insufficient_liquidity: NO_ROUTE,
  expired: textOf('expired'),
  rejected: ['LIGHTNING_PAYMENT_ERROR', 'The recipient rejected the payment'],
  timeout: ['LIGHTNING_PAYMENT_ERROR', 'The payment timed out; nothing was charged'],
  error: ['LIGHTNING_PAYMENT_ERROR', 'The Lightning node could not send the payment; nothing was charged'],
  not_found: ['LIGHTNING_PAYMENT_ERROR', 'The payment did not reach the Lightning node; nothing was charged'],
  operator: ['LIGHTNING_PAYMENT_ERROR', 'The operator of this server ended the payment; nothing was charged'],
  known_to_node: ['LIGHTNING_PAYMENT_ERROR', 'The Lightning node has paid this invoice, or is paying it, already; nothing was charged'],
  never_sent: ['LIGHTNING_PAYMENT_ERROR', 'The payment was never sent; nothing was charged'],
  denied: ['APPROVAL_DENIED', 'The owner of the wallet has denied the payment; nothing was sent'],
  approval_expired: ['APPROVAL_EXPIRED', 'The owner of the wallet has not approved the payment in time; nothing was sent'],
};

/** Of a refusal after the approval, the limits in dollars are not stored: the sentence of the pages states none. */
const failureText = (reason: SendFailure): PaymentErrorText =>
  isFailure(reason) ? FAILURES[reason] : [REFUSALS[reason].code, REFUSALS[reason].page, REFUSALS[reason].argument];

const isFailure = (reason: SendFailure): reason is keyof typeof FAILURES => reason in FAILURES;

const problem = ([code, message, argument]: PaymentErrorText, named: PaymentArgument = 'paymentRequest'): Problem => ({
  code,
  message,
  path: argument
    ? ['input', argument === 'paymentRequest' || (named === 'address' && argument === 'recipientWalletId') ? named : argument]
    : null,
});

export function sendPayload(outcome: PaymentOutcome, named: PaymentArgument = 'paymentRequest'): PaymentSendRow {
  switch (outcome.kind) {
    case 'settled':
    case 'queued':
      return { errors: [], status: 'SUCCESS', transactionId: outcome.transactionId };
    case 'pending':
      return {
        errors: [],
        status: 'PENDING',
        transactionId: outcome.transactionId,
        ...(outcome.approval && { approval: outcome.approval }),
      };
    case 'unconfirmed':
      return { errors: [], status: 'PENDING', transactionId: null, unconfirmedId: outcome.transactionId };
    case 'already_paid':
      return { errors: [], status: 'ALREADY_PAID', transactionId: outcome.transactionId };
    case 'failed':
      return { errors: [problem(failureText(outcome.reason), named)], status: 'FAILURE', transactionId: outcome.transactionId };
    case 'refused':
      return { errors: [problem(textOf(outcome.reason, outcome.limitCents), named)], status: 'FAILURE', transactionId: null };
    case 'vetoed':
      return { errors: [{ code: outcome.code, message: outcome.message, path: null }], status: 'FAILURE', transactionId: null };
    default:
      return assertNever(outcome);
  }
}

export interface FeeProbePayload {
  readonly errors: readonly Problem[];
  readonly amount: number | null;
}

/** Without a route the fee limit stands beside the error, as clients of this API may expect. */
export function feeProbePayload(outcome: FeeProbeOutcome): FeeProbePayload {
  switch (outcome.kind) {
    case 'known':
      return { errors: [], amount: outcome.fee };
    case 'no_route':
      return { errors: [problem(NO_ROUTE)], amount: outcome.limit };
    case 'refused':
      return { errors: [problem(textOf(outcome.reason))], amount: null };
    default:
      return assertNever(outcome);
  }
}
