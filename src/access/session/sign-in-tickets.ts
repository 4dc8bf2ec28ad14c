import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, fragment, sql, type RowOf } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Mac } from '../../platform/kernel/mac.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { hasFactor } from '../factor/index.js';
import { emailOf, UserEntity } from '../user/index.js';

const STORED = columns(UserEntity).only('id', 'passwordHash');
const SHOWN = fragment`${STORED.of('u')}, ${hasFactor(fragment`u.id`)} AS "hasFactor"`;
const BY_EMAIL = sql`SELECT ${SHOWN} FROM app_user u WHERE u.email = $1`;
const BY_ID = sql`SELECT ${SHOWN} FROM app_user u WHERE u.id = $1`;

export interface StoredUser extends RowOf<typeof STORED> {
  readonly hasFactor: boolean;
}

export const TICKET_SECONDS = 600;
const SHAPE = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/;

/**
 * The users of a sign-in, and tickets: the proof that a browser has sent the right password of a person whose factor is still to be checked.
 * Nothing is stored: the code of a ticket covers the hash of the password, so a new password ends it.
 */
@Injectable()
export class SignInTickets {
  readonly #mac: Mac;

  constructor(
    { secretKey, secretKeyPrevious }: Config,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.#mac = new Mac('sluice sign-in ticket v1', secretKey, secretKeyPrevious);
  }

  async find(email: string): Promise<StoredUser | undefined> {
    const [stored] = await this.database.query<StoredUser>(BY_EMAIL, [emailOf(email) ?? '']);
    return stored;
  }

  make(user: StoredUser): string {
    const expires = Math.floor(this.clock.now() / 1000) + TICKET_SECONDS;
    return `${user.id}.${expires}.${this.#mac.of(signedOf(user, expires)).toString('base64url')}`;
  }

  /** Whose ticket this is; null if it is unknown or expired, or the person has another password meanwhile. */
  async read(ticket: string | undefined): Promise<StoredUser | null> {
    const [, id = '', expires = '', code = ''] = SHAPE.exec(ticket ?? '') ?? [];
    const [user] = isUuid(id) ? await this.database.query<StoredUser>(BY_ID, [id]) : [];
    const isOurs = user !== undefined && this.#mac.verify(Buffer.from(code, 'base64url'), signedOf(user, Number(expires)));
    return isOurs && this.clock.now() / 1000 < Number(expires) ? user : null;
  }
}

const signedOf = ({ id, passwordHash }: StoredUser, expires: number): string => `${id}.${expires}.${passwordHash}`;
