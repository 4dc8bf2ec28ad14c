import type { TransactionRow } from '../../money/transaction/index.js';

export type ActivityState = 'received' | 'sent' | 'pending' | 'failed';

export function activityStateOf({ status, direction }: Pick<TransactionRow, 'status' | 'direction'>): ActivityState {
  if (status === 'PENDING') return 'pending';
  if (status === 'FAILURE') return 'failed';
  return direction === 'SEND' ? 'sent' : 'received';
}
