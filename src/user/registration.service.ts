import { Injectable } from '@nestjs/common';
import { columns, Database, sql } from '../database/index.js';
import { newId } from '../kernel/uuid.js';
import { emailOf, faultOfPassword, namesLike, usernameOf } from './identity.js';
import { Passwords } from './passwords.js';
import type { RegistrationFault, RegistrationOutcome } from './registration.outcome.js';
import { UserEntity } from './user.entity.js';

/** Input of a registration, as typed. */
export interface UserRegistration {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  /** The caller's rate limit key (`request.address`): addresses take turns at hashing; callers without one count as one address. */
  readonly address?: string;
}

const NEW_USER = columns(UserEntity).only('id', 'email', 'username', 'passwordHash');
/** The modules that own accounts and wallets create them by a trigger on this table. */
const ADD = sql`INSERT INTO app_user (${NEW_USER.names}) VALUES (${NEW_USER.parameters()}) ON CONFLICT DO NOTHING RETURNING id`;
const TAKEN = sql`SELECT username FROM app_user WHERE username = ANY ($1::text[])`;
const PROPOSALS = 2;

/** Registers new users. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** The account is usable at once. The endpoint counts attempts (policy `registration`). */
  async register({ email: typedEmail, username: typedUsername, password, address = '' }: UserRegistration): Promise<RegistrationOutcome> {
    const email = emailOf(typedEmail);
    const username = usernameOf(typedUsername);
    const isPassword = faultOfPassword(password) === undefined;
    if (email === undefined || username === undefined || !isPassword)
      return { kind: 'invalid', faults: await this.faultsOf(email, username, isPassword) };
    const user = { id: newId(), email, username, passwordHash: await this.passwords.hash(address, password) };
    const added = await this.database.query(ADD, NEW_USER.valuesOf(user));
    if (added.length > 0 || (await this.usernameAvailable(username))) return { kind: 'registered' };
    return { kind: 'username_taken', proposals: await this.proposalsFor(username) };
  }

  /** Is this username free? False also for an invalid one. */
  async usernameAvailable(text: string): Promise<boolean> {
    const username = usernameOf(text);
    return username !== undefined && (await this.database.query(TAKEN, [[username]])).length === 0;
  }

  /** All faults at once, a taken name included, so that one retry suffices. */
  private async faultsOf(email: string | undefined, username: string | undefined, isPassword: boolean): Promise<RegistrationFault[]> {
    const faults: RegistrationFault[] = [];
    if (email === undefined) faults.push({ field: 'email' });
    if (username === undefined) faults.push({ field: 'username' });
    else if (!(await this.usernameAvailable(username))) faults.push({ field: 'username', proposals: await this.proposalsFor(username) });
    if (!isPassword) faults.push({ field: 'password' });
    return faults;
  }

  private async proposalsFor(username: string): Promise<readonly string[]> {
    const names = namesLike(username);
    const taken = new Set((await this.database.query<{ username: string }>(TAKEN, [names])).map((row) => row.username));
    return names.filter((name) => !taken.has(name)).slice(0, PROPOSALS);
  }
}
