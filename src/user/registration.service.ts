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
  /** The caller's throttling key (`request.address`): addresses take turns at hashing; callers without one count as one address. */
  readonly address?: string;
}

const NEW_USER = columns(UserEntity).only('id', 'email', 'username', 'passwordHash');
/** The modules that own accounts and wallets create them by a trigger on this table. */
const ADD = sql`INSERT INTO app_user (${NEW_USER.names}) VALUES (${NEW_USER.parameters()}) ON CONFLICT DO NOTHING RETURNING id`;
const TAKEN = sql`SELECT username FROM app_user WHERE username = ANY ($1::text[])`;
const PROPOSALS = 2;
const USERNAME_RULE =
  'Use 3 to 50 letters, digits and underscores, at least one of them a letter. It cannot begin with 1, 3, an underscore, bc1 or lnbc1.';

/** Registers new users. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** The account is usable at once. The endpoint counts attempts (bucket `registration`). */
  async register({ email: typedEmail, username: typedUsername, password, address = '' }: UserRegistration): Promise<RegistrationOutcome> {
    const email = emailOf(typedEmail);
    const username = usernameOf(typedUsername);
    const fault = faultOfPassword(password);
    if (email === undefined || username === undefined || fault !== undefined) {
      return { kind: 'invalid', faults: await this.faultsOf(email, username, fault) };
    }
    const user = { id: newId(), email, username, passwordHash: await this.passwords.hash(address, password) };
    const added = await this.database.query(ADD, NEW_USER.valuesOf(user));
    if (added.length > 0 || (await this.usernameAvailable(username))) return { kind: 'registered' };
    return { kind: 'username_taken', ...(await this.wayOutFor(username)) };
  }

  /** Is this username free? False also for an invalid one. */
  async usernameAvailable(text: string): Promise<boolean> {
    const username = usernameOf(text);
    return username !== undefined && (await this.database.query(TAKEN, [[username]])).length === 0;
  }

  /** All faults at once, a taken name included, so that one retry suffices. */
  private async faultsOf(
    email: string | undefined,
    username: string | undefined,
    password: string | undefined,
  ): Promise<RegistrationFault[]> {
    const faults: RegistrationFault[] = [];
    if (email === undefined) faults.push({ field: 'email', message: 'Use an e-mail address such as name@example.com.' });
    if (username === undefined) faults.push({ field: 'username', message: USERNAME_RULE });
    else if (!(await this.usernameAvailable(username))) faults.push({ field: 'username', ...(await this.wayOutFor(username)) });
    if (password !== undefined) faults.push({ field: 'password', message: password });
    return faults;
  }

  private async wayOutFor(username: string): Promise<{ message: string; proposals: readonly string[] }> {
    const names = namesLike(username);
    const taken = new Set((await this.database.query<{ username: string }>(TAKEN, [names])).map((row) => row.username));
    const proposals = names.filter((name) => !taken.has(name)).slice(0, PROPOSALS);
    return { message: `${username} is taken.${proposals.length > 0 ? ` Try ${proposals.join(' or ')}.` : ''}`, proposals };
  }
}
