import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, fragment, sql, type RowOf } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Mac } from '../../platform/kernel/mac.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { hasFactor } from '../factor/index.js';
import type { IdentityProof } from './session.service.js';
import { emailOf, UserEntity } from '../user/index.js';

const STORED = columns(UserEntity).only('id', 'passwordHash');
const SHOWN = fragment`${STORED.of('u')}, ${hasFactor(fragment`u.id`)} AS "hasFactor"`;
const BY_EMAIL = sql`SELECT ${SHOWN} FROM app_user u WHERE u.email = $1`;
const BY_ID = sql`SELECT ${SHOWN} FROM app_user u WHERE u.id = $1`;

export interface StoredUser extends RowOf<typeof STORED> {
  readonly hasFactor: boolean;
}

/** The person of a ticket, and the proof of the identity provider that came in place of a password. */
export interface TicketUser extends StoredUser {
  readonly proof: IdentityProof | undefined;
}

export const TICKET_SECONDS = 600;
const SHAPE = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]*)\.([\w-]{43})$/;

/**
 * The users of a sign-in, and tickets: the proof that a browser has sent the right password of a person, or has come from their identity provider, whose factor is still to be checked.
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

  async findById(id: string): Promise<StoredUser | undefined> {
    return isUuid(id) ? (await this.database.query<StoredUser>(BY_ID, [id]))[0] : undefined;
  }

  make(user: StoredUser, proof?: IdentityProof): string {
    const expires = Math.floor(this.clock.now() / 1000) + TICKET_SECONDS;
    const kept = proof ? Buffer.from(JSON.stringify(proof)).toString('base64url') : '';
    return `${user.id}.${expires}.${kept}.${this.#mac.of(signedOf(user, expires, kept)).toString('base64url')}`;
  }

  /** Whose ticket this is; null if it is unknown or expired, or the person has another password meanwhile. */
  async read(ticket: string | undefined): Promise<TicketUser | null> {
    const [, id = '', expires = '', kept = '', code = ''] = SHAPE.exec(ticket ?? '') ?? [];
    const user = await this.findById(id);
    const isOurs = user !== undefined && this.#mac.verify(Buffer.from(code, 'base64url'), signedOf(user, Number(expires), kept));
    return isOurs && this.clock.now() / 1000 < Number(expires) ? { ...user, proof: proofIn(kept) } : null;
  }
}

const signedOf = ({ id, passwordHash }: StoredUser, expires: number, kept: string): string => `${id}.${expires}.${kept}.${passwordHash}`;

function proofIn(kept: string): IdentityProof | undefined {
  if (kept === '') return undefined;
  const proof = JSON.parse(Buffer.from(kept, 'base64url').toString()) as IdentityProof;
  return { ...proof, authTime: new Date(proof.authTime) };
}
