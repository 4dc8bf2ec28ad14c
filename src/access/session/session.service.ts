import { Injectable } from '@nestjs/common';
import { ScopeCatalogue, type Principal, type Visitor } from '../../edge/auth/index.js';
import { Config } from '../../platform/config/index.js';
import { columns, Database, fragment, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { Events, REVOCATION } from '../../platform/events/index.js';
import { hashToken, isWellFormedToken, mintToken } from '../../platform/kernel/token.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { hasFactor } from '../factor/index.js';
import { USER_COLUMNS, type PasswordChangeWork, type UserRow } from '../user/index.js';
import { SessionEntity } from './session.entity.js';
import { SessionSettings } from './session.settings.js';

const NEW_SESSION = columns(SessionEntity).only(
  ...(['id', 'tokenHash', 'userId', 'purpose', 'userAgent', 'address', 'amr', 'identityIssuer', 'identitySid'] as const),
);
const SESSION = columns(SessionEntity).only('purpose', 'authTime', 'amr');

const LISTED = columns(SessionEntity).only('id', 'purpose', 'userAgent', 'address', 'createdAt', 'lastSeenAt');

export type ListedSession = RowOf<typeof LISTED>;

export interface OpenSession extends Omit<Visitor, 'token'> {
  readonly purpose: SessionEntity['purpose'];
}

/** What changes how a person signs in needs a proof of who they are from within this time. */
export const FRESH_SECONDS = 600;

/** RFC 8176. A passkey is two factors: it verifies the person itself. */
export const AMR = { password: ['pwd'], code: ['pwd', 'otp', 'mfa'], passkey: ['pop', 'mfa'] } as const;

/** What an identity provider says of a sign-in. */
export interface IdentityProof {
  /** When the person authenticated there. */
  readonly authTime: Date;
  /** How (RFC 8176). With `mfa` no factor of this server is asked for. */
  readonly amr: readonly string[];
  readonly issuer?: string;
  readonly sid?: string;
}

export interface NewSession extends Pick<SessionEntity, 'userId' | 'purpose' | 'userAgent' | 'address'> {
  /** The hash that the password was compared with: no session opens if the password was changed meanwhile. Null: there was no password. */
  readonly passwordHash: string | null;
  readonly amr: readonly string[];
  /** An identity provider has authenticated the person. */
  readonly proof?: IdentityProof | undefined;
  /** A factor of ours was checked after that. */
  readonly hasShownFactor?: boolean;
  /** The browser has no device cookie of this person. */
  readonly isNewBrowser: boolean;
}

export interface OpenedSession {
  readonly token: string;
  readonly sessionId: string;
}

interface SessionUserRow extends UserRow, RowOf<typeof SESSION> {
  readonly sessionId: string;
  readonly leftSeconds: number;
  readonly factorAgeSeconds: number | null;
  readonly nowMs: number;
}

const MAX_USER_AGENT = 200;
/** "Last seen" is written at most once per this interval. */
const SEEN_EVERY_SECONDS = 60;
/** Maximum per person, ended ones included. `open` deletes surplus ones: first ended, then least recently seen. */
const MAX_SESSIONS = 100;

/** Waits for a concurrent password change and for other new sessions: the next statement sees the new hash, and all sessions. */
const LOCK = sql`SELECT FROM app_user WHERE id = $1 FOR NO KEY UPDATE`;
const OPEN = sql`WITH owner AS (SELECT id FROM app_user WHERE id = $3 AND ($10::text IS NULL OR password_hash = $10) AND disabled_at IS NULL),
              surplus AS (DELETE FROM session
                           WHERE id IN (SELECT s.id FROM session s JOIN owner ON owner.id = s.user_id
                                         ORDER BY s.ended_at IS NULL DESC, s.last_seen_at DESC OFFSET ${MAX_SESSIONS - 1})
                       RETURNING ${REVOCATION})
         INSERT INTO session (${NEW_SESSION.names}, auth_time, factor_at)
         SELECT ${NEW_SESSION.parameters()}, least(now(), $11), CASE WHEN $12 THEN now() ELSE least(now(), $11) END FROM owner RETURNING id`;
/** Every browser of a person is new at their first sign-in. */
const NOTE_SIGN_IN = sql`SELECT notice_add($1, 'sign_in', jsonb_build_object('userAgent', $2::text, 'address', $3::text))
          WHERE (SELECT count(*) FROM session s WHERE s.user_id = $1) > 1`;

/** When a session ends however much it is used. $3: days, $4: hours of one that an identity provider's proof has opened. */
const END_OF_LIFE = fragment`s.created_at + least(make_interval(days => $3), CASE WHEN s.identity_issuer IS NOT NULL THEN make_interval(hours => $4) END)`;

const FIND = sql`WITH found AS (
           SELECT s.*, ${END_OF_LIFE} AS end_of_life, s.last_seen_at < now() - make_interval(secs => $5) AS unseen
             FROM session s
            WHERE s.token_hash = $1 AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(secs => $2)
              AND ${END_OF_LIFE} > now()),
         seen AS (UPDATE session SET last_seen_at = now() FROM found WHERE session.id = found.id AND found.unseen AND session.ended_at IS NULL)
         SELECT found.id AS "sessionId", ${SESSION.of('found')},
                least(CASE WHEN found.unseen THEN $2::float8 ELSE extract(epoch FROM found.last_seen_at - now())::float8 + $2::float8 END,
                      extract(epoch FROM found.end_of_life - now())::float8) AS "leftSeconds",
                extract(epoch FROM now() - found.factor_at)::float8 AS "factorAgeSeconds",
                extract(epoch FROM now())::float8 * 1000 AS "nowMs",
                ${USER_COLUMNS.of('u')}
           FROM found JOIN app_user u ON u.id = found.user_id AND u.disabled_at IS NULL`;

const END = sql`UPDATE session SET ended_at = now() WHERE id = $1 AND ended_at IS NULL RETURNING ${REVOCATION}`;
const LIST = sql`SELECT ${LISTED.of('s')} FROM session s
          WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(secs => $2) AND ${END_OF_LIFE} > now()
          ORDER BY s.last_seen_at DESC, s.id`;
const END_OF_USER = sql`UPDATE session SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL AND (id = $2) = $3 RETURNING ${REVOCATION}`;
const END_ALL = sql`UPDATE session SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL RETURNING ${REVOCATION}`;
const END_OF_IDENTITY = sql`UPDATE session SET ended_at = now() WHERE identity_issuer = $1 AND identity_sid = $2 AND ended_at IS NULL RETURNING ${REVOCATION}`;
/** The event of the new password covers them all. */
const END_AT_NEW_PASSWORD = sql`UPDATE session SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL`;

/** The old token ends: a thief of it gains nothing by the proof. */
const RENEW = sql`UPDATE session SET token_hash = $3, factor_at = least(now(), $5), amr = ARRAY(SELECT DISTINCT unnest(amr || $4::text[]))
         WHERE id = $1 AND token_hash = $2 AND ended_at IS NULL RETURNING 1`;
/** Without a factor, no session has one: operators need it. */
const FORGET_FACTOR = sql`UPDATE session SET factor_at = NULL, amr = CASE WHEN ${hasFactor(fragment`$1`)} THEN amr ELSE array_remove(amr, 'mfa') END WHERE user_id = $1`;
const IS_FRESH = sql`SELECT 1 FROM session WHERE id = $1 AND factor_at > now() - make_interval(secs => $2)`;

@Injectable()
export class SessionService {
  private readonly scopes: ReadonlySet<string>;
  private readonly atProof: PasswordChangeWork[] = [];

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
    private readonly settings: SessionSettings,
    catalogue: ScopeCatalogue,
  ) {
    this.scopes = new Set(catalogue.ofKeys().map(({ name }) => name));
  }

  /** Adds work to the transaction of each session that an identity provider's proof opens. @internal */
  joinProved(work: PasswordChangeWork): void {
    this.atProof.push(work);
  }

  async endAtNewPassword(tx: Tx, userId: string): Promise<void> {
    await tx.query(END_AT_NEW_PASSWORD, [userId]);
  }

  /** With a new token and a new id: nothing from before the sign-in is adopted. Null: the password was changed while it was compared. */
  open(session: NewSession): Promise<OpenedSession | null> {
    return this.database.transaction((tx) => this.openWithin(tx, session));
  }

  /** The same in the caller's transaction. */
  async openWithin(
    tx: Tx,
    { passwordHash, isNewBrowser, proof, hasShownFactor = false, ...opened }: NewSession,
  ): Promise<OpenedSession | null> {
    const [token, id] = [mintToken(this.prefix), newId()];
    const provider = { identityIssuer: proof?.issuer ?? null, identitySid: proof?.sid ?? null };
    const session = { ...opened, ...provider, id, tokenHash: hashToken(token), userAgent: opened.userAgent.slice(0, MAX_USER_AGENT) };
    await tx.query(LOCK, [opened.userId]);
    const rows = await tx.query(OPEN, [...NEW_SESSION.valuesOf(session), passwordHash, proof?.authTime, hasShownFactor]);
    if (proof?.issuer !== undefined && rows.length > 0) for (const work of this.atProof) await work(tx, opened.userId);
    if (isNewBrowser && rows.length > 0) await tx.query(NOTE_SIGN_IN, [session.userId, session.userAgent, session.address]);
    return rows.length > 0 ? { token, sessionId: id } : null;
  }

  /** The session of this token; null for unknown, ended, idle for too long and opened too long ago. Counts as a use. */
  async find(token: string): Promise<OpenSession | null> {
    if (!isWellFormedToken(token, this.prefix)) return null;
    const { SESSION_IDLE_SECONDS: idleSeconds, SESSION_MAX_DAYS: maxDays, IDENTITY_SESSION_HOURS: maxHours } = this.settings;
    const values = [hashToken(token), idleSeconds, maxDays, maxHours, Math.min(SEEN_EVERY_SECONDS, idleSeconds / 10)];
    const [found] = await this.database.query<SessionUserRow>(FIND, values);
    if (!found) return null;
    const { sessionId: id, purpose, authTime, amr, leftSeconds, factorAgeSeconds, nowMs, ...user } = found;
    const expiresAt = nowMs + leftSeconds * 1000;
    const principal: Principal = { kind: 'session', id, userId: user.id, scopes: this.scopes, expiresAt };
    return { purpose, session: { id, authTime, amr, factorAgeSeconds, leftSeconds }, user, principal };
  }

  /**
   * The person of this session has proved again who they are: it continues under a new token. @param token the present one
   * @param provedAt default: now
   * @returns null if the session has ended, or another request renewed it
   */
  async renew(
    { session: { id }, token }: Pick<Visitor, 'session' | 'token'>,
    amr: readonly string[],
    provedAt?: Date,
  ): Promise<string | null> {
    const next = mintToken(this.prefix);
    const renewed = await this.database.query(RENEW, [id, hashToken(token), hashToken(next), amr, provedAt]);
    return renewed.length > 0 ? next : null;
  }

  /** For a script's session, which the principal names. */
  async isFresh(sessionId: string, maxAgeSeconds: number): Promise<boolean> {
    return (await this.database.query(IS_FRESH, [sessionId, maxAgeSeconds])).length > 0;
  }

  /** A factor was added or removed: proofs from before it count no more. */
  async forgetFactor(tx: Tx, userId: string): Promise<void> {
    await tx.query(FORGET_FACTOR, [userId]);
  }

  /** Signs out. This process refuses the token at once, all others within a second; sockets that the session opened close. Idempotent. */
  async end(sessionId: string): Promise<void> {
    if (!isUuid(sessionId) || (await this.database.query(END, [sessionId])).length === 0) return;
    await this.events.delivered();
  }

  /** Where a person is signed in, the last used first. */
  list(userId: string): Promise<ListedSession[]> {
    const { SESSION_IDLE_SECONDS: idleSeconds, SESSION_MAX_DAYS: maxDays, IDENTITY_SESSION_HOURS: maxHours } = this.settings;
    return this.database.query<ListedSession>(LIST, [userId, idleSeconds, maxDays, maxHours]);
  }

  /** Ends one session of a person, or all but one, as `end` does. */
  async endOf(userId: string, which: { readonly only: string } | { readonly except: string }): Promise<void> {
    const [id, isOnly] = 'only' in which ? [which.only, true] : [which.except, false];
    if (!isUuid(id) || (await this.database.query(END_OF_USER, [userId, id, isOnly])).length === 0) return;
    await this.events.delivered();
  }

  /** The sessions that one session at the provider has opened. The caller awaits `Events.delivered` after its commit. */
  async endOfIdentity(tx: Tx, issuer: string, sid: string): Promise<void> {
    await tx.query(END_OF_IDENTITY, [issuer, sid]);
  }

  /** Signs a person out everywhere. @param also joins the transaction @returns the number of sessions that ended */
  async endAll(userId: string, also: (tx: Tx, ended: number) => Promise<unknown>): Promise<number> {
    const ended = await this.database.transaction(async (tx) => {
      const { length } = await tx.query(END_ALL, [userId]);
      await also(tx, length);
      return length;
    });
    await this.events.delivered();
    return ended;
  }

  private get prefix(): string {
    return `${this.config.tokenPrefix}_st`;
  }
}
