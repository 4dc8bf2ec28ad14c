import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, DELETED_AT_ONCE, deleteInBatches, fragment, sql, type RowOf } from '../../platform/database/index.js';
import { isStorable } from '../../platform/kernel/text.js';
import { hashToken, isWellFormedToken, mintToken } from '../../platform/kernel/token.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { OperatorActions } from '../../platform/operator-action/index.js';
import { InvitationEntity } from './invitation.entity.js';

export type InvitationCreateOutcome =
  /** The code is not stored, and returned only here. */
  | { readonly kind: 'created'; readonly invitation: InvitationRow; readonly code: string }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'too_many'; readonly limit: number };

export type InvitationRevokeOutcome =
  | { readonly kind: 'revoked'; readonly invitation: InvitationRow }
  | { readonly kind: 'ended_already'; readonly invitation: InvitationRow }
  | { readonly kind: 'not_found' };

export const INVITATION_COLUMNS = columns(InvitationEntity).except('codeHash');

export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

export interface InvitationRow extends RowOf<typeof INVITATION_COLUMNS> {
  readonly state: InvitationState;
  readonly username: string | null;
}

export interface NewInvitation {
  readonly expiresInHours: number;
  readonly note: string;
  readonly who: string;
}

/** Maximum of open invitations, against a script that creates them without end. */
export const MAX_OPEN_INVITATIONS = 10_000;
export const INVITATION_HOURS = { min: 1, max: 8_760, default: 168 } as const;
const MAX_NOTE = 200;
export const MAX_LISTED_INVITATIONS = 1_000;

const OPEN = fragment`(i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now())`;
const STATE = fragment`CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.revoked_at IS NOT NULL THEN 'revoked' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS state`;
const SHOWN = fragment`${INVITATION_COLUMNS.of('i')}, ${STATE}, (SELECT u.username FROM app_user u WHERE u.id = i.user_id) AS username`;
const NEW = columns(InvitationEntity).only('id', 'codeHash', 'note');
// Concurrent calls may exceed the limit by a few invitations; the limit is there against thousands.
const ADD = sql`INSERT INTO invitation AS i (${NEW.names}, expires_at)
         SELECT ${NEW.parameters()}, now() + make_interval(hours => $4::int)
          WHERE (SELECT count(*) FROM invitation i WHERE ${OPEN}) < ${MAX_OPEN_INVITATIONS}
         RETURNING ${SHOWN}`;
const LIST = sql`SELECT ${SHOWN} FROM invitation i ORDER BY ${OPEN} DESC, i.created_at DESC, i.id DESC LIMIT ${MAX_LISTED_INVITATIONS}`;
const FIND = sql`SELECT ${SHOWN} FROM invitation i WHERE i.id = $1`;
const IS_OPEN = sql`SELECT 1 FROM invitation i WHERE i.code_hash = $1 AND ${OPEN}`;
const REVOKE = sql`UPDATE invitation AS i SET revoked_at = now() WHERE i.id = $1 AND ${OPEN} RETURNING ${SHOWN}`;
/** Days for which the operator sees how an invitation ended. */
const ENDED_KEPT_DAYS = 30;
const PURGE = sql`DELETE FROM invitation WHERE id IN (
        SELECT i.id FROM invitation i WHERE least(i.used_at, i.revoked_at, i.expires_at) < now() - make_interval(days => ${ENDED_KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;

/** Invitations: operators create, list and revoke them. `RegistrationService` uses them up. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly actions: OperatorActions,
  ) {}

  async create({ expiresInHours, note, who }: NewInvitation): Promise<InvitationCreateOutcome> {
    const { min, max } = INVITATION_HOURS;
    if (!Number.isInteger(expiresInHours) || expiresInHours < min || expiresInHours > max)
      return { kind: 'invalid', message: `An invitation expires in ${min} to ${max} hours` };
    if ([...note].length > MAX_NOTE || !isStorable(note)) return { kind: 'invalid', message: `A note has at most ${MAX_NOTE} characters` };
    const code = mintToken(this.prefix);
    const id = newId();
    const values = [...NEW.valuesOf({ id, codeHash: hashToken(code), note }), expiresInHours];
    const invitation = await this.database.transaction(async (tx) => {
      const [added] = await tx.query<InvitationRow>(ADD, values);
      if (added)
        await this.actions.record(tx, { who, action: 'invitation create', subject: id, because: note, details: { expiresInHours } });
      return added;
    });
    return invitation ? { kind: 'created', invitation, code } : { kind: 'too_many', limit: MAX_OPEN_INVITATIONS };
  }

  list(): Promise<InvitationRow[]> {
    return this.database.query<InvitationRow>(LIST);
  }

  async revoke(id: string, who: string): Promise<InvitationRevokeOutcome> {
    if (!isUuid(id)) return { kind: 'not_found' };
    const revoked = await this.database.transaction(async (tx) => {
      const [row] = await tx.query<InvitationRow>(REVOKE, [id]);
      if (row) await this.actions.record(tx, { who, action: 'invitation revoke', subject: row.id, because: row.note, details: {} });
      return row;
    });
    if (revoked) return { kind: 'revoked', invitation: revoked };
    const [invitation] = await this.database.query<InvitationRow>(FIND, [id]);
    return invitation ? { kind: 'ended_already', invitation } : { kind: 'not_found' };
  }

  /**
   * The stored form of an open invitation's code; undefined for every other text. Only digests of 256 random bits are compared, so the time
   * that it takes does not help to guess a code.
   */
  async openCodeHash(code: string): Promise<Buffer | undefined> {
    const typed = code.trim();
    if (!isWellFormedToken(typed, this.prefix)) return undefined;
    const hash = hashToken(typed);
    return (await this.database.query(IS_OPEN, [hash])).length > 0 ? hash : undefined;
  }

  purge(signal?: AbortSignal): Promise<void> {
    return deleteInBatches(this.database, PURGE, [], signal);
  }

  linkOf(code: string): string {
    return `${this.config.publicUrl}/register?invitation=${code}`;
  }

  private get prefix(): string {
    return `${this.config.tokenPrefix}_in`;
  }
}
