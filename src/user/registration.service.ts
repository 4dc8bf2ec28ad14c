import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/index.js';
import { newId } from '../kernel/uuid.js';
import { emailOf, faultOfPassword, namesLike, usernameOf } from './identity.js';
import { Passwords } from './passwords.js';
import type { RegistrationFault, RegistrationOutcome } from './registration.outcome.js';

/** What a person types to register, as typed. */
export interface Registration {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  /** The caller's throttling key (`request.address`): addresses take turns at hashing, and those who register without one are one address. */
  readonly address?: string;
}

/** Accounts and wallets come with the row: whoever owns those tables has a trigger on this one. */
const ADD: Statement = {
  name: 'user_add',
  text: 'INSERT INTO app_user (id, email, username, password_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id',
};
const TAKEN: Statement = { name: 'user_names_taken', text: 'SELECT username FROM app_user WHERE username = ANY ($1::text[])' };
const PROPOSALS = 2;
const USERNAME_RULE =
  'Use 3 to 50 letters, digits and underscores, at least one of them a letter. It cannot begin with 1, 3, an underscore, bc1 or lnbc1.';

/** New people. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** Makes the account usable at once. Counting attempts (bucket `registration`) is the endpoint's business. */
  async register({ email: typedEmail, username: typedUsername, password, address = '' }: Registration): Promise<RegistrationOutcome> {
    const email = emailOf(typedEmail);
    const username = usernameOf(typedUsername);
    const fault = faultOfPassword(password);
    if (email === undefined || username === undefined || fault !== undefined) {
      return { kind: 'invalid', faults: await this.faultsOf(email, username, fault) };
    }
    const added = await this.database.query(ADD, [newId(), email, username, await this.passwords.hash(address, password)]);
    if (added.length > 0 || (await this.usernameAvailable(username))) return { kind: 'registered' };
    return { kind: 'username_taken', ...(await this.wayOutFor(username)) };
  }

  /** Could somebody register by this name? False also for what can never be a username. */
  async usernameAvailable(text: string): Promise<boolean> {
    const username = usernameOf(text);
    return username !== undefined && (await this.database.query(TAKEN, [[username]])).length === 0;
  }

  /** Everything that is wrong at once, a taken name included, so that nobody has to try twice. */
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
