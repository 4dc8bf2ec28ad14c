import type { UserRow } from './user.row.js';

export type UsernameOutcome =
  /** The user has this name already. */
  { readonly kind: 'unchanged'; readonly user: UserRow } | { readonly kind: 'immutable' };
