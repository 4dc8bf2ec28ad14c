import { columns, type RowOf } from '../database/index.js';
import { InvitationEntity } from './invitation.entity.js';

export const INVITATION_COLUMNS = columns(InvitationEntity).except('codeHash');

export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

/** An invitation, without the code's hash. */
export interface InvitationRow extends RowOf<typeof INVITATION_COLUMNS> {
  readonly state: InvitationState;
  /** Of the person who registered with it. */
  readonly username: string | null;
}
