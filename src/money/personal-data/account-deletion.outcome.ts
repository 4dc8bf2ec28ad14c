import type { ErrorCode } from '../../edge/graphql/index.js';

/** `busy`: payments held the account for too long. */
export type DeletionRefusal = 'operator' | 'frozen' | 'in_flight' | 'not_empty' | 'invoice_open' | 'busy';
export type DeletionOutcome = { readonly kind: 'deleted' } | { readonly kind: 'refused'; readonly reason: DeletionRefusal };

interface RefusalText {
  readonly code: ErrorCode;
  /** For programs and people. */
  readonly text: string;
}

export const DELETION_REFUSALS: Readonly<Record<DeletionRefusal, RefusalText>> = {
  operator: { code: 'OPERATOR_ACCOUNT', text: 'An operator’s account can’t be deleted. Another operator has to end your role first.' },
  frozen: { code: 'ACCOUNT_FROZEN', text: 'The operator has stopped the payments of this account. Ask them first.' },
  in_flight: { code: 'PAYMENT_IN_FLIGHT', text: 'A payment is still on its way. Try again when it has ended.' },
  not_empty: { code: 'ACCOUNT_NOT_EMPTY', text: 'There is still money in your wallets. Send it somewhere else first.' },
  invoice_open: {
    code: 'INVOICE_OPEN',
    text: 'An invoice can still be paid, and could not be cancelled. Try again in a minute, or when it has expired.',
  },
  busy: { code: 'PAYMENT_BUSY', text: 'The server is busy with payments. Nothing was deleted. Try again in a minute.' },
};
