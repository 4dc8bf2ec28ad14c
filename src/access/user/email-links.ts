import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { Mac } from '../../platform/kernel/mac.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { UserEntity } from './user.entity.js';

/** `confirm`: the person receives mail at this address. `undo`: it was the person's before a change. */
export type EmailLinkPurpose = 'confirm' | 'undo';

export interface EmailLink {
  readonly userId: string;
  readonly address: string;
  /** The address of now. */
  readonly email: string;
}

const OWNER = columns(UserEntity).only('id', 'email', 'passwordHash');
const FIND = sql`SELECT ${OWNER.of('u')}, floor(extract(epoch FROM now()))::float8 AS "nowSeconds" FROM app_user u WHERE u.id = $1 AND u.disabled_at IS NULL`;
type Owner = RowOf<typeof OWNER> & { readonly nowSeconds: number };

const SECONDS = { confirm: 86_400, undo: 7 * 86_400 } as const;
const PATHS = { confirm: '/dashboard/security/email/confirm', undo: '/undo-email-change' } as const;
const SHAPE = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{1,700})\.([\w-]{43})$/;

/**
 * Links in mail about an address. Nothing is stored. The code of `confirm` covers the present address and the hash of the password, so the
 * link ends with its use and with a new password; that of `undo` does not: a thief could end it by changing them again.
 */
@Injectable()
export class EmailLinks {
  readonly #macs: Readonly<Record<EmailLinkPurpose, Mac>>;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    const { secretKey, secretKeyPrevious } = config;
    const macOf = (purpose: EmailLinkPurpose): Mac => new Mac(`sluice e-mail link ${purpose} v1`, secretKey, secretKeyPrevious);
    this.#macs = { confirm: macOf('confirm'), undo: macOf('undo') };
  }

  /** @returns null for a person who is disabled */
  async create(purpose: EmailLinkPurpose, userId: string, address: string, tx: Tx = this.database): Promise<string | null> {
    const [owner] = await tx.query<Owner>(FIND, [userId]);
    if (!owner) return null;
    const expires = owner.nowSeconds + SECONDS[purpose];
    const code = this.#macs[purpose].of(signedOf(purpose, owner, expires, address)).toString('base64url');
    const token = `${userId}.${expires}.${Buffer.from(address).toString('base64url')}.${code}`;
    return `${this.config.publicUrl}${PATHS[purpose]}?token=${token}`;
  }

  /** Null if it is unknown, used or expired. It changes nothing. */
  async find(purpose: EmailLinkPurpose, token: unknown): Promise<EmailLink | null> {
    const [, userId = '', expires = '', encoded = '', code = ''] = SHAPE.exec(typeof token === 'string' ? token : '') ?? [];
    const [owner] = isUuid(userId) ? await this.database.query<Owner>(FIND, [userId]) : [];
    if (!owner) return null;
    const address = Buffer.from(encoded, 'base64url').toString();
    const isOurs = this.#macs[purpose].verify(Buffer.from(code, 'base64url'), signedOf(purpose, owner, Number(expires), address));
    return isOurs && owner.nowSeconds < Number(expires) ? { userId: owner.id, address, email: owner.email } : null;
  }
}

const signedOf = (purpose: EmailLinkPurpose, { id, email, passwordHash }: Owner, expires: number, address: string): string =>
  JSON.stringify([id, expires, address, ...(purpose === 'confirm' ? [email, passwordHash] : [])]);
