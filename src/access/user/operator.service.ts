import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { RateLimitPolicies } from '../../edge/rate-limit/index.js';
import { OperatorActions } from '../../platform/operator-action/index.js';
import { emailOf, usernameOf } from './identity.js';
import { Passwords } from './passwords.js';
import { UserEntity } from './user.entity.js';

/** An operator whose password was compared a moment ago. SQL functions check the hash again, in the transaction that acts. */
export interface Operator {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
}

export type OperatorCheckOutcome =
  | { readonly kind: 'operator'; readonly operator: Operator }
  /** There is no such user, they are no operator, or the password is another one. */
  | { readonly kind: 'wrong' }
  /** Too many wrong passwords: none is compared before the oldest of them is so old. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number };

export type OperatorChangeOutcome = 'changed' | 'already' | 'not_found';

const SHOWN = columns(UserEntity).only('id', 'username', 'email');
const STORED = columns(UserEntity).only('id', 'username', 'passwordHash');
/** The action of the log that counts as a wrong password. */
const WRONG = 'wrong password';

const LIST = sql`SELECT ${SHOWN.of('u')} FROM app_user u WHERE u.is_operator ORDER BY u.username`;
/** Locked, so that an operator's passwords are compared one after the other: concurrent guesses cannot pass the limit. */
const LOCK = sql`SELECT ${STORED.of('u')} FROM app_user u WHERE (u.email = $1 OR u.username = $2) AND u.is_operator AND u.disabled_at IS NULL ORDER BY u.id LIMIT 1 FOR NO KEY UPDATE`;
const WRONG_ONES = sql`SELECT count(*)::int AS count, ceil(extract(epoch FROM min(a.at) - (clock_timestamp() - make_interval(secs => $2))))::int AS "leftSeconds"
           FROM (SELECT at FROM operator_action WHERE subject = $1 AND action = $4 AND at > clock_timestamp() - make_interval(secs => $2) ORDER BY id DESC LIMIT $3) a`;
const SET = sql`UPDATE app_user SET is_operator = $2 WHERE id = $1 AND is_operator <> $2 RETURNING id`;
const EXISTS = sql`SELECT 1 FROM app_user WHERE id = $1`;

export type OperatorRow = RowOf<typeof SHOWN>;

export interface OperatorChange {
  readonly who: string;
  readonly because: string;
}

@Injectable()
export class OperatorService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly actions: OperatorActions,
    private readonly policies: RateLimitPolicies,
  ) {}

  list(): Promise<OperatorRow[]> {
    return this.database.query<OperatorRow>(LIST);
  }

  change(userId: string, isOperator: boolean, { who, because }: OperatorChange): Promise<OperatorChangeOutcome> {
    return this.database.transaction(async (tx) => {
      const changed = await tx.query(SET, [userId, isOperator]);
      if (changed.length === 0) return (await tx.query(EXISTS, [userId])).length > 0 ? 'already' : 'not_found';
      await this.actions.record(tx, {
        who,
        action: isOperator ? 'operator add' : 'operator remove',
        subject: userId,
        because,
        details: {},
      });
      return 'changed';
    });
  }

  /**
   * Compares an operator's password. Each wrong one is an action of the operators' log, and past `THROTTLE_SIGN_IN_ACCOUNT` none is compared. The
   * log counts for all processes, because each command is a process of its own.
   * @param runBy the user of the operating system, for the log
   */
  check(name: string, password: string, runBy: string): Promise<OperatorCheckOutcome> {
    return this.database.transaction(async (tx) => {
      const isEmail = name.includes('@');
      const [stored] = await tx.query<Operator>(LOCK, [isEmail ? (emailOf(name) ?? '') : '', isEmail ? '' : (usernameOf(name) ?? '')]);
      const retryAfterSeconds = stored ? await this.waitSeconds(tx, stored.id) : 0;
      if (retryAfterSeconds > 0) return { kind: 'slowed_down', retryAfterSeconds };
      // Compared even without such an operator, so that the time does not show whether there is one.
      const verdict = await this.passwords.verify(name, stored?.passwordHash ?? null, password, () => true);
      if (stored && verdict === 'right') return { kind: 'operator', operator: stored };
      if (stored) await this.actions.record(tx, { who: runBy, action: WRONG, subject: stored.id, because: '', details: {} });
      return { kind: 'wrong' };
    });
  }

  private async waitSeconds(tx: Tx, operatorId: string): Promise<number> {
    const { limit, windowMs } = this.policies.get('signInAccount');
    const [wrong] = await tx.query<{ count: number; leftSeconds: number }>(WRONG_ONES, [operatorId, windowMs / 1000, limit, WRONG]);
    return wrong && wrong.count >= limit ? Math.max(1, wrong.leftSeconds) : 0;
  }
}
