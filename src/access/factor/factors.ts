import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../edge/http/index.js';
import { RateLimiter, type RateLimitResult } from '../../edge/rate-limit/index.js';
import { BatchLoader, Database, fragment, sql, type Fragment, type Tx } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { RecoveryCodes } from './recovery-codes.js';
import { Totp, type TotpRegistration } from './totp.js';

/** Whose wrong codes count together: those of one account from browsers that it does not know, or those of one known browser. */
export interface GuessLimit {
  readonly policy: 'signInFactor' | 'signInDevice';
  readonly key: string;
}

export type FactorCheck =
  /** `codesLeft`: the recovery codes that are left, after one of them was used. */
  | { readonly kind: 'right'; readonly codesLeft: number | null }
  | { readonly kind: 'wrong'; readonly limit: RateLimitResult }
  /** Too many wrong codes: none is compared until the window ends. */
  | { readonly kind: 'slowed_down'; readonly limit: RateLimitResult };

export type EnrolOutcome =
  /** `codes`: new recovery codes, if the person had no factor before. They are returned only here. */
  | { readonly kind: 'enrolled'; readonly codes: readonly string[] | null }
  /** `not_found`: the registration has ended, or is another person's. */
  | { readonly kind: 'wrong' | 'not_found' | 'exists' };

export interface FactorState {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryCodes: number;
}

export type FactorChangeWork = (tx: Tx, userId: string) => Promise<unknown>;

/** For statements that need it beside the user. @param userId of the person */
export const hasFactor = (userId: Fragment): Fragment =>
  fragment`(EXISTS (SELECT FROM user_totp t WHERE t.user_id = ${userId}) OR EXISTS (SELECT FROM user_passkey p WHERE p.user_id = ${userId}))`;

const STATE = sql`SELECT EXISTS (SELECT FROM user_totp t WHERE t.user_id = $1) AS totp,
         (SELECT count(*)::int FROM user_passkey p WHERE p.user_id = $1) AS passkeys,
         (SELECT count(*)::int FROM user_recovery_code c WHERE c.user_id = $1) AS "recoveryCodes"`;
const WITH_TOTP = sql`SELECT t.user_id AS "userId" FROM user_totp t WHERE t.user_id = ANY ($1::uuid[])`;
const SECRET = sql`SELECT t.secret FROM user_totp t WHERE t.user_id = $1`;
/** One statement, so that of concurrent requests with one code only one passes. It encrypts the secret under the present SECRET_KEY. */
const USE = sql`UPDATE user_totp SET last_step = $2, secret = $3 WHERE user_id = $1 AND last_step < $2 RETURNING 1`;
const ENROL = sql`INSERT INTO user_totp (user_id, secret, last_step) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;
const REMOVE = sql`DELETE FROM user_totp WHERE user_id = $1 RETURNING 1`;
const REMOVE_PASSKEYS = sql`DELETE FROM user_passkey WHERE user_id = $1`;
/** Of two first factors that are added at once, one creates the recovery codes. */
const LOCK = sql`SELECT ${hasFactor(fragment`u.id`)} AS "hasFactor" FROM app_user u WHERE u.id = $1 FOR NO KEY UPDATE`;

const TOTP_SHAPE = /^\d{6}$/;

/** Second factors of people. A person with a factor signs in with it, after the password or, by a passkey, without one. */
@Injectable()
export class Factors {
  private readonly log = new Log('Factors');
  private readonly withTotp: BatchLoader<boolean>;
  private readonly atChange: FactorChangeWork[] = [];
  /** One code at a time: concurrent guesses must not pass a limit that the first of them reached. */
  private readonly queue = new FairQueue('factor_codes', { atOnce: 1 });

  constructor(
    private readonly database: Database,
    private readonly limiter: RateLimiter,
    private readonly totp: Totp,
    private readonly codes: RecoveryCodes,
  ) {
    this.withTotp = new BatchLoader(async (ids) => {
      const rows = await this.database.query<{ userId: string }>(WITH_TOTP, [ids]);
      const found = new Set(rows.map(({ userId }) => userId));
      return ids.map((id) => found.has(id));
    });
  }

  /** Adds work to the transaction of each added or removed factor. Folders above this one keep what such a change ends. @internal */
  joinChange(work: FactorChangeWork): void {
    this.atChange.push(work);
  }

  async has(userId: string): Promise<boolean> {
    const { totp, passkeys } = await this.state(userId);
    return totp || passkeys > 0;
  }

  hasTotp(userId: string): Promise<boolean> {
    return this.withTotp.load(userId);
  }

  async state(userId: string): Promise<FactorState> {
    const [state] = await this.database.query<FactorState>(STATE, [userId]);
    return state ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
  }

  /** Compares a code of the authenticator app, or a recovery code, and uses it up. Only wrong codes count. @throws TurnRefusedError */
  async verify(userId: string, code: string, { policy, key }: GuessLimit): Promise<FactorCheck> {
    return this.queue.run(userId, async () => {
      const before = await this.limiter.peek(policy, key);
      if (before.isBlocked) return { kind: 'slowed_down', limit: before };
      const typed = code.replace(/[\s-]/g, '').toLowerCase();
      if (TOTP_SHAPE.test(typed) ? await this.useTotp(userId, typed) : false) return { kind: 'right', codesLeft: null };
      const codesLeft = await this.codes.use(userId, typed);
      if (codesLeft !== null) return { kind: 'right', codesLeft };
      const limit = await this.limiter.consume(policy, key);
      return { kind: limit.isBlocked ? 'slowed_down' : 'wrong', limit };
    });
  }

  register(userId: string, label: string): Promise<TotpRegistration> {
    return this.totp.register(userId, label);
  }

  readRegistration(userId: string, id: string, label: string): Promise<TotpRegistration | null> {
    return this.totp.readRegistration(userId, id, label);
  }

  /** Turns an authenticator app on, with the first code that it shows. */
  async enrol(userId: string, registrationId: string, code: string): Promise<EnrolOutcome> {
    const registration = await this.totp.readRegistration(userId, registrationId, '');
    if (!registration) return { kind: 'not_found' };
    const step = await this.totp.stepOf(registration.secret, code.replace(/\s/g, ''));
    if (step === null) return { kind: 'wrong' };
    const added = await this.add(userId, (tx) => tx.query(ENROL, [userId, this.totp.seal(userId, registration.secret), step]));
    return added ? { kind: 'enrolled', codes: added.codes } : { kind: 'exists' };
  }

  /** Adds a factor. @param insert returns no row if nothing is added @returns null if nothing was; recovery codes for a first factor @internal */
  add(userId: string, insert: (tx: Tx) => Promise<unknown[]>): Promise<{ readonly codes: readonly string[] | null } | null> {
    return this.database.transaction(async (tx) => {
      const [before] = await tx.query<{ hasFactor: boolean }>(LOCK, [userId]);
      if (!before || (await insert(tx)).length === 0) return null;
      await this.changed(tx, userId);
      return { codes: before.hasFactor ? null : await this.codes.renew(tx, userId) };
    });
  }

  /** @returns false if there is none */
  removeTotp(userId: string): Promise<boolean> {
    return this.remove(userId, async (tx) => (await tx.query(REMOVE, [userId])).length > 0);
  }

  /** Removes a factor, and the recovery codes with the last one. @param work returns false if there is nothing to remove @internal */
  remove(userId: string, work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK, [userId]);
      if (!(await work(tx))) return false;
      const [after] = await tx.query<{ hasFactor: boolean }>(LOCK, [userId]);
      if (!after?.hasFactor) await this.codes.delete(tx, userId);
      await this.changed(tx, userId);
      return true;
    });
  }

  /** New recovery codes, which replace the old ones; null for a person without a factor. */
  renewCodes(userId: string): Promise<readonly string[] | null> {
    return this.database.transaction(async (tx) => {
      const [present] = await tx.query<{ hasFactor: boolean }>(LOCK, [userId]);
      return present?.hasFactor ? this.codes.renew(tx, userId) : null;
    });
  }

  /** Removes every factor of a person who has lost them: the act of an operator. @param also joins the transaction @returns false if there is none */
  reset(userId: string, also: FactorChangeWork): Promise<boolean> {
    return this.remove(userId, async (tx) => {
      const [present] = await tx.query<{ hasFactor: boolean }>(LOCK, [userId]);
      if (!present?.hasFactor) return false;
      await tx.query(REMOVE, [userId]);
      await tx.query(REMOVE_PASSKEYS, [userId]);
      await also(tx, userId);
      return true;
    });
  }

  private async useTotp(userId: string, code: string): Promise<boolean> {
    const [stored] = await this.database.query<{ secret: Buffer }>(SECRET, [userId]);
    if (!stored) return false;
    const secret = this.totp.unseal(userId, stored.secret);
    if (secret === null)
      this.log.error('auth_factor_unreadable', { userId }, `Secret of the authenticator app of user ${userId}: unreadable`);
    const step = secret === null ? null : await this.totp.stepOf(secret, code);
    if (secret === null || step === null) return false;
    return (await this.database.query(USE, [userId, step, this.totp.seal(userId, secret)])).length > 0;
  }

  private async changed(tx: Tx, userId: string): Promise<void> {
    for (const work of this.atChange) await work(tx, userId);
  }
}
