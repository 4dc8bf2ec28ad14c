import type { OperatorActionRow } from '../../platform/operator-action/index.js';
import { fieldLines } from '../command/index.js';
import type { NodeEvidence, OperatorPaymentRow, PaymentEvidence, PaymentReport } from '../../money/payment/index.js';

const at = (date: Date | null): string => date?.toISOString() ?? 'never';

/** Time for people: `90 s`, `12 min`, `5 h`, `3 d`. */
function ageOf(from: Date, until: Date): string {
  const seconds = Math.max(0, Math.round((until.getTime() - from.getTime()) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export const lineOf = ({
  id,
  state,
  amountMsat,
  amountCents,
  createdAt,
  dispatchedAt,
  seenInFlight,
  paymentHash,
  failure,
  readAt,
}: OperatorPaymentRow): string =>
  [
    id,
    state.padEnd(9),
    at(createdAt),
    ...(state === 'in_flight' ? [`age ${ageOf(createdAt, readAt)}`] : []),
    `${amountMsat} msat`,
    ...(amountCents === null ? [] : [`for ${amountCents} cents`]),
    state === 'in_flight' ? (seenInFlight ? 'seen at the node' : dispatchedAt ? 'sent' : 'not sent') : (failure ?? ''),
    paymentHash ?? '',
  ]
    .filter(Boolean)
    .join('  ');

export const rowOf = ({ isFresh: _, readAt, ...row }: OperatorPaymentRow): object => ({
  ...row,
  ageSeconds: Math.round((readAt.getTime() - row.createdAt.getTime()) / 1_000),
});

function nodeLines({ status, feeMsat, isPreimageValid, reason, paymentIndex, isIndexUnbroken }: NodeEvidence): string[] {
  if (status === 'none') return [];
  const parts = [
    status,
    ...(reason === null ? [] : [`reason ${reason}`]),
    ...(feeMsat === null ? [] : [`fee ${feeMsat} msat`]),
    ...(isPreimageValid === null ? [] : [isPreimageValid ? 'its preimage matches' : 'its preimage does not match']),
  ];
  const index = `${paymentIndex}${typeof paymentIndex === 'bigint' && isIndexUnbroken ? ', not lower since the payment was sent' : ''}`;
  return [`node now: ${parts.join(', ')}`, `payment index of the node: ${index}`];
}

function ledgerLines({ hold, journals, otherAttempts }: PaymentEvidence, { heldCents }: OperatorPaymentRow): string[] {
  const held = hold
    ? [`hold: ${hold.amount} ${heldCents === null ? 'msat' : 'cents'} ${hold.state} since ${at(hold.closedAt ?? hold.createdAt)}`]
    : [];
  const booked = journals.map(({ id, op, createdAt, entries }) => {
    const moved = entries.map(({ account, amount }) => `${account} ${amount > 0n ? '+' : ''}${amount}`);
    return [`journal ${id}: ${op} ${at(createdAt)}`, ...moved].join('  ');
  });
  const tried = otherAttempts.map(({ id, state, createdAt, failure }) =>
    `other attempt: ${id} ${state} ${at(createdAt)} ${failure ?? ''}`.trim(),
  );
  return [...held, ...booked, ...tried];
}

export const actionLine = ({ at: when, who, action, because }: OperatorActionRow): string => `${at(when)}  ${who}  ${action}: ${because}`;

/** Everything about a payment: the row, the node, the ledger, what happens next, and what operators have done. */
export function linesOfReport({ payment, evidence, actions }: PaymentReport): string[] {
  const { step, because, at: when } = evidence.next;
  return [
    ...fieldLines(rowOf(payment)),
    ...nodeLines(evidence.node),
    ...ledgerLines(evidence, payment),
    `next: ${step}. ${because}${when === null ? '' : `. At ${at(when)} or later`}`,
    ...actions.map(actionLine),
  ];
}
