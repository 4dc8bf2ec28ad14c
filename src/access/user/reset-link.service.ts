import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, queryOne, sql, type RowOf } from '../../platform/database/index.js';
import { Mac } from '../../platform/kernel/mac.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { OperatorActions } from '../../platform/operator-action/index.js';
import { PasswordSettings } from './password.settings.js';
import { UserEntity } from './user.entity.js';
import { type PasswordChangeOutcome, type PasswordChangeWork, UserService } from './user.service.js';

const OWNER = columns(UserEntity).only('id', 'username', 'email', 'passwordHash', 'disabledAt');
const FIND = sql`SELECT ${OWNER.of('u')}, floor(extract(epoch FROM now()))::float8 AS "nowSeconds" FROM app_user u WHERE u.id = $1`;
const LIMIT = sql`SELECT user_limit_after_reset($1, $2)`;

export interface ResetLinkOwner extends RowOf<typeof OWNER> {
  readonly nowSeconds: number;
}

export const RESET_LINK_HOURS = { min: 1, max: 24, default: 1 } as const;
const SHAPE = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/;

/** Links with which a person sets a new password. Nothing is stored: their code covers the hash of the password, so they end with it. */
@Injectable()
export class ResetLinkService {
  readonly #mac: Mac;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly users: UserService,
    private readonly actions: OperatorActions,
    private readonly settings: PasswordSettings,
  ) {
    this.#mac = new Mac('sluice reset link v1', config.secretKey, config.secretKeyPrevious);
  }

  /** @param also joins the transaction */
  async create(userId: string, hours: number, also?: PasswordChangeWork): Promise<{ readonly link: string; readonly expiresAt: Date }> {
    const owner = await this.database.transaction(async (tx) => {
      await also?.(tx, userId);
      return queryOne<ResetLinkOwner>(tx, FIND, [userId]);
    });
    const expires = owner.nowSeconds + hours * 3_600;
    const token = `${userId}.${expires}.${this.#mac.of(signedOf(owner, expires)).toString('base64url')}`;
    return { link: `${this.config.publicUrl}/reset-password?token=${token}`, expiresAt: new Date(expires * 1_000) };
  }

  /** Whose link this is; null if it is unknown, used or expired. It changes nothing. */
  async find(token: string): Promise<ResetLinkOwner | null> {
    const [, userId = '', expires = '', code = ''] = SHAPE.exec(token) ?? [];
    const [owner] = isUuid(userId) ? await this.database.query<ResetLinkOwner>(FIND, [userId]) : [];
    const isOurs = owner !== undefined && this.#mac.verify(Buffer.from(code, 'base64url'), signedOf(owner, Number(expires)));
    return isOurs && owner.nowSeconds < Number(expires) ? owner : null;
  }

  /**
   * Ends what every new password ends, and bounds what a person without a second factor sends for a day. `not_found`: the person has another
   * password meanwhile, or was disabled.
   * @param also joins the transaction
   */
  use(
    { id, username, passwordHash }: ResetLinkOwner,
    password: string,
    also?: PasswordChangeWork,
    keepsApps = false,
  ): Promise<PasswordChangeOutcome> {
    const action = { who: username, action: 'user reset-link used', subject: id, because: '', details: {} };
    const work: PasswordChangeWork = async (tx, userId) => {
      await also?.(tx, userId);
      await tx.query(LIMIT, [userId, msatOfSats(this.settings.RESET_SEND_LIMIT_SATS)]);
      await this.actions.record(tx, action);
    };
    return this.users.changePassword(id, password, work, passwordHash, keepsApps);
  }
}

const signedOf = ({ id, passwordHash }: ResetLinkOwner, expires: number): string => `${id}.${expires}.${passwordHash}`;
