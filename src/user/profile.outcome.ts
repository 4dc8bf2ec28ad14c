import type { UserRow } from './user.row.js';

export type LanguageOutcome = { readonly kind: 'chosen'; readonly user: UserRow | null } | { readonly kind: 'unknown' };

export type UsernameOutcome =
  /** The user has this name already. */
  { readonly kind: 'unchanged'; readonly user: UserRow } | { readonly kind: 'immutable' };
