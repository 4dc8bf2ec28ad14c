import { isGone, waitFor } from '../../edge/http/index.js';
import { userIdOf, type Call } from '../../edge/auth/index.js';
import type { Payer } from './begin/payment.service.js';
import type { PaymentStart } from './payment.outcome.js';
import { sendPayload, type PaymentSendRow } from './payment.payload.js';
import type { PaymentArgument } from './payment.refusals.js';

export type PayerInput = Pick<Payer, 'walletId' | 'memo'>;

/**
 * Waits for the end of a payment, without a slot among the requests in progress.
 * @param named the argument that the client gave instead of an invoice
 */
export async function answered(starting: Promise<PaymentStart>, call: Call, named?: PaymentArgument): Promise<PaymentSendRow> {
  const start = await starting;
  const outcome = start.kind === 'begun' ? await waitFor(call, start.end) : start;
  const row = sendPayload(outcome, named);
  if (row.unconfirmedId !== undefined) call.progress?.addUnconfirmed(call.path, row.unconfirmedId);
  if (row.approval !== undefined) call.progress?.noteOpen();
  return row;
}

export const payerOf = ({ walletId, memo }: PayerInput, call: Call): Payer => ({
  userId: userIdOf(call.principal),
  walletId,
  memo,
  principal: call.principal,
  attempt: call.attempt,
  // A request of which something has begun runs to its end.
  isGone: () => isGone(call) && call.progress?.isFirst === true,
});
