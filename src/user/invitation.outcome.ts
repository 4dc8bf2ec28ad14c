import type { InvitationRow } from './invitation.row.js';

export type InvitationCreateOutcome =
  /** The code is not stored, and returned only here. */
  | { readonly kind: 'created'; readonly invitation: InvitationRow; readonly code: string }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'too_many'; readonly limit: number };

export type InvitationRevokeOutcome =
  | { readonly kind: 'revoked'; readonly invitation: InvitationRow }
  /** It was used, revoked or expired before. */
  | { readonly kind: 'ended_already'; readonly invitation: InvitationRow }
  | { readonly kind: 'not_found' };
