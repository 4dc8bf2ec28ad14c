import type { OperatorPaymentRow } from './operator-payment.row.js';
import type { PaymentIndex, PaymentStatus } from '../../lightning/index.js';

export interface NodeEvidence {
  /** `none`: no node took part. `other_node`: the node that was asked is not connected. */
  readonly status: PaymentStatus['status'] | 'other_node' | 'none';
  readonly feeMsat: bigint | null;
  readonly isPreimageValid: boolean | null;
  readonly reason: string | null;
  readonly paymentIndex: PaymentIndex;
  /** The index has not gone down since the payment was sent, so that "not found" may be believed. */
  readonly isIndexUnbroken: boolean;
}

/** `operator`: Sluice does nothing more by itself, and an operator has to decide. `book_loss`: the node settled what was released before. */
export type NextStep = 'none' | 'wait' | 'settle' | 'fail' | 'book_loss' | 'operator';

export interface PaymentForecast {
  readonly step: NextStep;
  readonly because: string;
  /** When, at the earliest; null: the time does not decide. */
  readonly at: Date | null;
}

interface ForecastInput {
  readonly payment: OperatorPaymentRow;
  readonly node: NodeEvidence;
  /** Another attempt of the same hash was sent and failed: the node's `failed` may be about that one. */
  readonly hasEarlierAttempt: boolean;
  readonly leaseSeconds: number;
  readonly notFoundSeconds: number;
}

const later = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1_000);
const forecast = (step: NextStep, because: string, at: Date | null = null): PaymentForecast => ({ step, because, at });

/** The rules of `PaymentLookup`, `FailedPaymentReconciler` and `payment_not_found`, for one payment and one answer of the node. */
export function forecastOf(input: ForecastInput): PaymentForecast {
  const { payment, node } = input;
  if (payment.kind === 'onchain' && payment.state === 'in_flight') return forecast('wait', 'A block confirms it: see "payout show"');
  if (payment.kind === 'internal' || payment.kind === 'intraledger') return forecast('none', 'It was paid inside, and no node took part');
  if (payment.state === 'settled') return forecast('none', 'It has ended');
  if (payment.state === 'failed') return forecastOfFailed(node);
  const { nextCheckAt, seenInFlight } = payment;
  switch (node.status) {
    case 'unknown':
      return forecast('wait', 'The node does not answer; its money stays held', nextCheckAt);
    case 'other_node':
      return forecast('operator', 'Another node is connected than the one that was asked to pay it');
    case 'in_flight':
      return forecast('wait', 'The node has it in flight, and reports when it ends', nextCheckAt);
    case 'settled':
      return node.isPreimageValid
        ? forecast('settle', 'The node has the preimage', nextCheckAt)
        : forecast('operator', 'The node reports a preimage that does not match the payment hash');
    case 'failed':
      return seenInFlight
        ? forecast('fail', 'The node had it in flight, and reports that it failed', nextCheckAt)
        : forecastOfUnseen(input);
    default:
      return seenInFlight ? forecast('operator', 'The node had it in flight and does not know it any more') : forecastOfUnseen(input);
  }
}

function forecastOfFailed({ status }: NodeEvidence): PaymentForecast {
  if (status === 'settled') return forecast('book_loss', 'The node settled it after its money was released');
  if (status === 'in_flight') return forecast('operator', 'The node has it in flight after its money was released');
  return forecast('none', 'It has ended');
}

/** The node never had it in flight, and does not know it, or only a failed attempt that may be an earlier one. */
function forecastOfUnseen({ payment, node, hasEarlierAttempt, leaseSeconds, notFoundSeconds }: ForecastInput): PaymentForecast {
  const { createdAt, dispatchedAt, notFoundAt, nextCheckAt, readAt } = payment;
  const leaseEndsAt = later(createdAt, leaseSeconds);
  if (leaseEndsAt > readAt) return forecast('wait', 'It may still be on its way to the node', leaseEndsAt);
  if (notFoundAt === null) return forecast('wait', 'The node does not know it; one report is not enough', nextCheckAt);
  const isLost = dispatchedAt !== null && (node.status !== 'failed' || hasEarlierAttempt);
  const patienceEndsAt = later(notFoundAt, isLost ? Math.max(leaseSeconds, notFoundSeconds) : leaseSeconds);
  if (patienceEndsAt > readAt) return forecast('wait', 'The node has to report so for longer', patienceEndsAt);
  if (!isLost) return forecast('fail', dispatchedAt === null ? 'It was never sent' : 'The node reports that it failed', nextCheckAt);
  if (node.paymentIndex === 'unknown') return forecast('wait', 'The payment index of the node cannot be read', nextCheckAt);
  return node.isIndexUnbroken
    ? forecast('fail', 'It was sent, and the node does not know it', nextCheckAt)
    : forecast('operator', 'It was sent, and the node does not know it and may have lost its records');
}
