import { columns, type RowOf } from '../../../platform/database/index.js';
import { PaymentEntity } from '../payment.entity.js';

/** Not the preimage, which proves a payment, and not the dispatch token. */
export const OPERATOR_PAYMENT_COLUMNS = columns(PaymentEntity).only(
  ...(['id', 'kind', 'state', 'amountMsat', 'feeLimitMsat', 'feeMsat', 'amountCents', 'heldCents', 'dealerCentsPerBtc'] as const),
  ...(['paymentHash', 'nodeId', 'accountId', 'walletId', 'failure'] as const),
  ...(['createdAt', 'dispatchedAt', 'seenInFlight', 'notFoundAt', 'notFoundAnew', 'nextCheckAt', 'finishedAt'] as const),
);

export interface OperatorPaymentRow extends RowOf<typeof OPERATOR_PAYMENT_COLUMNS> {
  readonly readAt: Date;
  /** It was created less than a dispatch lease plus a caller's wait ago: its node may still answer. */
  readonly isFresh: boolean;
}
