import { Injectable } from '@nestjs/common';
import {
  BatchLoader,
  columns,
  Database,
  fragment,
  mayTakeLong,
  queryOne,
  sql,
  type Fragment,
  type RowOf,
  type Statement,
  type Tx,
  changeOne,
} from '../../platform/database/index.js';
import { Events, revocationOf } from '../../platform/events/index.js';
import { mintToken } from '../../platform/kernel/token.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { emailOf, faultOfPassword, isReservedName, usernameOf } from './identity.js';
import { Passwords } from './passwords.js';
import { RegistrationService, type CreatedUser, type UserCreateOutcome, type UserRegistration } from './registration.service.js';
import { UserEntity } from './user.entity.js';

export type PasswordChangeOutcome =
  { readonly kind: 'changed' } | { readonly kind: 'not_found' } | { readonly kind: 'invalid'; readonly message: string };

export const USER_COLUMNS = columns(UserEntity).except('passwordHash', 'resetLimitUntil', 'resetLimitMsat');

/** A person, without the password's hash. */
export type UserRow = RowOf<typeof USER_COLUMNS>;

const by = (condition: Fragment): Statement => sql`SELECT ${USER_COLUMNS.of('u')} FROM app_user u WHERE ${condition}`;
const BY_IDS = sql`SELECT ${USER_COLUMNS.of('u')} FROM app_user u WHERE u.id = ANY ($1::uuid[])`;
const BY_EMAIL = by(fragment`u.email = $1`);
const BY_USERNAME = by(fragment`u.id = user_named($1)`);
const MAKE_OPERATOR = sql`UPDATE app_user SET is_operator = true WHERE email = $1 RETURNING id`;
const SET_PASSWORD = sql`UPDATE app_user SET password_hash = $2 WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3 AND disabled_at IS NULL)
         RETURNING id, ${revocationOf(fragment`'user:' || id`)}`;
export interface ResetLimit {
  readonly until: Date;
  readonly msat: bigint;
}

const RESET_LIMIT = sql`SELECT u.reset_limit_until AS until, u.reset_limit_msat AS msat FROM app_user u WHERE u.id = $1 AND u.reset_limit_until > now()`;
/** Until the end of the transaction, for the trigger of `oauth`. */
const KEEP_APPS = sql`SELECT set_config('sluice.keeps_apps', '1', true)`;

const SET_VERIFIED = sql`UPDATE app_user SET email_verified_at = now() WHERE id = $1`;
const LIST = sql`SELECT ${USER_COLUMNS.of('u')} FROM app_user u
          WHERE ($1::text IS NULL OR starts_with(u.username, $1) OR starts_with(u.email, $1)) AND ($2::text IS NULL OR u.username > $2)
          ORDER BY u.username LIMIT $3`;
const SET_DISABLED = sql`UPDATE app_user SET disabled_at = CASE WHEN $2 THEN now() END WHERE id = $1 AND (disabled_at IS NULL) = $2
         RETURNING id, ${revocationOf(fragment`'user:' || id`)}`;

const SIGN_OUT = sql`SELECT ${revocationOf(fragment`'user:' || $1::text`)}`;

/** Foreign keys end what belongs to the person; the username stays taken. */
const DELETE = mayTakeLong(sql`WITH gone AS (DELETE FROM app_user WHERE id = $1 AND NOT is_operator RETURNING id, email),
           resumed AS (DELETE FROM access_pause p USING gone WHERE p.subject = gone.id::text)
         SELECT gone.email, ${revocationOf(fragment`'user:' || gone.id`)} FROM gone`);

/** For look-ups of credentials. @param userId of their owner */
export const isDisabled = (userId: Fragment): Fragment =>
  fragment`EXISTS (SELECT FROM app_user d WHERE d.id = ${userId} AND d.disabled_at IS NOT NULL)`;

export type PasswordChangeWork = (tx: Tx, userId: string) => Promise<unknown>;

/** A person without a password. */
export interface NewPerson extends Omit<UserRegistration, 'password'> {
  /** Another party has verified that the address is theirs. */
  readonly emailVerified?: boolean;
}

type PersonWork = (tx: Tx, user: CreatedUser) => Promise<unknown>;

/** Users: look-ups, and the operator's changes. */
@Injectable()
export class UserService {
  private readonly byIds: BatchLoader<UserRow | null>;
  private readonly atPasswordChange: PasswordChangeWork[] = [];

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly events: Events,
    private readonly registration: RegistrationService,
  ) {
    this.byIds = new BatchLoader((ids) => this.rowsOf(ids));
  }

  /** Batched: calls that arrive while a statement runs wait for the next one. */
  async findById(id: string): Promise<UserRow | null> {
    return isUuid(id) ? this.byIds.load(id.toLowerCase()) : null;
  }

  /** @param email as typed; case and surrounding space do not matter */
  async findByEmail(email: string): Promise<UserRow | null> {
    return this.one(BY_EMAIL, emailOf(email));
  }

  /** @param username as typed, or a former one; case and surrounding space do not matter */
  async findByUsername(username: string): Promise<UserRow | null> {
    return this.one(BY_USERNAME, usernameOf(username));
  }

  /**
   * Makes a user without a password, in every mode of registration: one who signs in through an identity provider or an extension. No policy is
   * asked. The password's hash is that of random bytes, so nothing distinguishes the account.
   * @param also joins the transaction
   */
  async create({ emailVerified = false, ...person }: NewPerson, also?: PersonWork): Promise<UserCreateOutcome> {
    return this.registration.createUser({ ...person, password: mintToken('none') }, async (tx, user) => {
      if (emailVerified) await tx.query(SET_VERIFIED, [user.id]);
      await also?.(tx, user);
    });
  }

  /** What a person sends until when, after a reset of the password; null: as much as always. */
  async resetLimitOf(userId: string): Promise<ResetLimit | null> {
    return (await this.database.query<ResetLimit>(RESET_LIMIT, [userId]))[0] ?? null;
  }

  /** @returns false if no user has this address */
  async makeOperator(email: string): Promise<boolean> {
    return (await this.database.query(MAKE_OPERATOR, [emailOf(email) ?? ''])).length > 0;
  }

  /** Adds work to the transaction of each new password, after the password is set. Folders above this one keep what a new password ends. @internal */
  joinPasswordChange(work: PasswordChangeWork): void {
    this.atPasswordChange.push(work);
  }

  /**
   * Sets a new password. `session` joins and ends every session of the person; a trigger of `oauth` ends the person's grants in the same statement. Sockets
   * close within a second.
   * @param also joins the transaction, after the password is set: what this one change ends or records besides
   * @param keepsApps grants stay: the person has chosen so
   * @param replaced the person's hash, of a change that the person may make with it only while they are not disabled
   */
  async changePassword(
    userId: string,
    password: string,
    also?: PasswordChangeWork,
    replaced?: string,
    keepsApps = false,
  ): Promise<PasswordChangeOutcome> {
    const fault = faultOfPassword(password);
    if (fault) return { kind: 'invalid', message: fault };
    if (!isUuid(userId)) return { kind: 'not_found' };
    const hash = await this.passwords.hash(userId, password);
    // Later statements of the transaction see a session that the old password opened while the first waited for its lock.
    const found = await this.database.transaction(async (tx) => {
      if (keepsApps) await tx.query(KEEP_APPS);
      const changed = await tx.query(SET_PASSWORD, [userId, hash, replaced]);
      if (changed.length === 0) return false;
      for (const work of [...this.atPasswordChange, ...(also ? [also] : [])]) await work(tx, userId);
      return true;
    });
    if (!found) return { kind: 'not_found' };
    await this.events.delivered();
    return { kind: 'changed' };
  }

  /** Signs a person out everywhere, and ends what else a new password ends. @param tx of a caller that awaits `Events.delivered` after its commit */
  async endSessions(tx: Tx, userId: string): Promise<void> {
    for (const work of this.atPasswordChange) await work(tx, userId);
    await tx.query(SIGN_OUT, [userId]);
  }

  /** In the order of usernames. @param search how the username or the e-mail address begins @param after the last username of the page before. @internal */
  list(search: string | null, after: string | null, limit: number): Promise<UserRow[]> {
    return this.database.query<UserRow>(LIST, [search?.toLowerCase(), after, limit]);
  }

  /**
   * A disabled user cannot sign in, and is signed out everywhere; their keys and apps are refused until they are enabled. Money arrives, and payments
   * in flight end.
   * @returns false if nothing changes
   * @internal
   */
  async setDisabled(userId: string, disabled: boolean, also: PasswordChangeWork): Promise<boolean> {
    const isChanged = await changeOne(this.database, SET_DISABLED, [userId, disabled], async (tx) => {
      for (const work of [...(disabled ? this.atPasswordChange : []), also]) await work(tx, userId);
    });
    await this.events.delivered();
    return isChanged;
  }

  /**
   * Deletes a person: sessions, keys, grants, factors and notices end with them, and the e-mail address can register again.
   * @returns null for an operator, whose acts stay in the log under their name
   * @internal
   */
  async delete(tx: Tx, userId: string): Promise<{ readonly email: string } | null> {
    return (await tx.query<{ email: string }>(DELETE, [userId]))[0] ?? null;
  }

  private async rowsOf(ids: readonly string[]): Promise<(UserRow | null)[]> {
    const rows = await this.database.query<UserRow>(BY_IDS, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  private async one(statement: Statement, value: string | undefined): Promise<UserRow | null> {
    if (value === undefined) return null;
    return (await this.database.query<UserRow>(statement, [value]))[0] ?? null;
  }
}

/** Between two changes of a username. */
export const USERNAME_DAYS = 90;

export type RenameOutcome = 'changed' | 'same' | 'taken' | 'too_soon' | 'reserved';

const HAS_NAME = sql`SELECT 1 FROM app_user WHERE id = $1 AND username = $2`;
const RENAME = sql`SELECT user_rename($1, $2, ${USERNAME_DAYS}) AS outcome`;
const SET_LANGUAGE = sql`UPDATE app_user SET language = $2 WHERE id = $1 RETURNING ${USER_COLUMNS.of('app_user')}`;

@Injectable()
export class ProfileService {
  constructor(private readonly database: Database) {}

  async setLanguage(userId: string, language: string, tx: Tx = this.database): Promise<UserRow | null> {
    const [user] = await tx.query<UserRow>(SET_LANGUAGE, [userId, language]);
    return user ?? null;
  }

  /** The name before leads to the person still, and belongs to no other. @param username a well-formed one */
  async rename(userId: string, username: string, tx: Tx = this.database): Promise<RenameOutcome> {
    if (isReservedName(username) && (await tx.query(HAS_NAME, [userId, username])).length === 0) return 'reserved';
    return (await queryOne<{ outcome: RenameOutcome }>(tx, RENAME, [userId, username])).outcome;
  }
}
