/** `no_operator`: the operator was dismissed, or their password changed, since it was compared. */
type Closed = 'no_operator' | 'not_found' | 'approved_before' | 'refused_before' | 'expired';

export type ProposalOutcome =
  | { readonly kind: 'proposed'; readonly id: string }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'no_operator' }
  | { readonly kind: 'no_wallet' }
  | { readonly kind: 'too_many' };

/** `adjustment.sql` explains each. */
export type AdjustmentOutcome =
  'approved' | 'refused' | Closed | 'same_operator' | 'own_account' | 'proposer_dismissed' | 'insufficient' | 'out_of_range' | 'rejected';
