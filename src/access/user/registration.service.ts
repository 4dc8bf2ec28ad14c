import { Injectable } from '@nestjs/common';
import { PolicyCheck, type PaymentVeto } from '../../edge/auth/index.js';
import { columns, Database, queryOne, sql, type Tx } from '../../platform/database/index.js';
import { Log, RefusalLog } from '../../platform/logging/index.js';
import { newId } from '../../platform/kernel/uuid.js';
import { emailOf, faultOfPassword, namesLike, usernameOf, isReservedName } from './identity.js';
import { InvitationService } from './invitation.service.js';
import { Passwords } from './passwords.js';
import { RegistrationSettings, type RegistrationMode } from './registration.settings.js';
import { UserEntity } from './user.entity.js';

export interface RegistrationFault {
  readonly field: 'email' | 'username' | 'password';
  /** Only for a username that is taken: others that were free a moment ago. */
  readonly proposals?: readonly string[];
}

/** Why a person may not register. An invitation that is wrong, used, revoked or expired has one code. */
export type RegistrationRefusal = 'REGISTRATION_CLOSED' | 'INVITATION_INVALID';

interface InvalidRegistration {
  readonly kind: 'invalid';
  readonly faults: readonly RegistrationFault[];
}

interface UsernameTaken {
  readonly kind: 'username_taken';
  readonly proposals: readonly string[];
}

export type RegistrationOutcome =
  /** Also for a known address: the response must not reveal which addresses are registered. It signs no person in. */
  | { readonly kind: 'registered' }
  | { readonly kind: 'refused'; readonly code: RegistrationRefusal }
  | InvalidRegistration
  | UsernameTaken
  /** Refused by the organisation's `PaymentPolicy`, in its words. */
  | ({ readonly kind: 'vetoed' } & PaymentVeto);

export type CreatedUser = Pick<UserEntity, 'id' | 'email' | 'username'>;

/** For operators, who may know which addresses are registered. */
export type UserCreateOutcome =
  { readonly kind: 'created'; readonly user: CreatedUser } | { readonly kind: 'email_taken' } | InvalidRegistration | UsernameTaken;

export interface UserRegistration {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  /** The caller's rate limit key (`request.address`): addresses take turns at hashing; callers without one count as one address. */
  readonly address?: string;
}

/** A person who wants to register; the policy is asked for a known e-mail too. */
export interface RegistrationIntent {
  /** In the form in which they are stored. */
  readonly email: string;
  readonly username: string;
  /** The caller's rate limit key: an IPv4 address or an IPv6 /64; null: not known. */
  readonly address: string | null;
}

export interface PersonRegistration extends UserRegistration {
  readonly invitation?: string;
}

const NEW_USER = columns(UserEntity).only('id', 'email', 'username', 'passwordHash');
type NewUser = Pick<UserEntity, 'id' | 'email' | 'username' | 'passwordHash'>;
type RegisterVerdict = 'created' | 'email_taken' | 'username_taken' | 'not_invited';
/** The modules that own accounts and wallets create them by a trigger on `app_user`. */
const REGISTER = sql`SELECT user_register(${NEW_USER.parameters()}, $5) AS verdict`;
const TAKEN = sql`SELECT n.name AS username FROM unnest($1::text[]) AS n(name) WHERE user_name_is_taken(n.name)`;
const PROPOSALS = 2;

@Injectable()
export class RegistrationService {
  private readonly log = new Log(RegistrationService.name);
  private readonly refusals = new RefusalLog();
  readonly mode: RegistrationMode;

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly invitations: InvitationService,
    private readonly policy: PolicyCheck,
    settings: RegistrationSettings,
  ) {
    this.mode = passwords.signIn ? settings.REGISTRATION : 'closed';
  }

  /** Registers a person, if `mode` permits it; uses up the invitation in the same statement. The endpoint counts attempts (`registration`). */
  async register({ invitation = '', ...typed }: PersonRegistration): Promise<RegistrationOutcome> {
    if (this.mode === 'closed') return { kind: 'refused', code: 'REGISTRATION_CLOSED' };
    const codeHash = this.mode === 'invite' ? await this.invitations.openCodeHash(invitation) : null;
    if (codeHash === undefined) return this.notInvited();
    const person = await this.checked(typed, isReservedName);
    if ('kind' in person) return person;
    const intent: RegistrationIntent = { ...person, address: typed.address ?? null };
    const veto = await this.policy.findVeto('findRegistrationVeto', intent);
    if (veto) return { kind: 'vetoed', ...veto };
    const user = await this.hashed(person, typed);
    const verdict = await this.add(this.database, user, codeHash);
    // Another registration used the invitation, or the operator revoked it, while the password was hashed.
    if (verdict === 'not_invited') return this.notInvited();
    return verdict === 'username_taken' ? this.usernameTaken(user.username) : { kind: 'registered' };
  }

  /** Makes a user in every mode, with a reserved name too: for operators, demos and tests. `also` joins its transaction. */
  async createUser(typed: UserRegistration, also?: (tx: Tx, user: CreatedUser) => Promise<unknown>): Promise<UserCreateOutcome> {
    const person = await this.checked(typed);
    if ('kind' in person) return person;
    const added = await this.hashed(person, typed);
    const { passwordHash: _, ...user } = added;
    const verdict = await this.database.transaction(async (tx) => {
      const result = await this.add(tx, added, null);
      if (result === 'created') await also?.(tx, user);
      return result;
    });
    if (verdict === 'username_taken') return this.usernameTaken(user.username);
    return verdict === 'created' ? { kind: 'created', user } : { kind: 'email_taken' };
  }

  async usernameAvailable(text: string): Promise<boolean> {
    const username = usernameOf(text);
    return username !== undefined && !isReservedName(username) && (await this.isFree(username));
  }

  private async isFree(username: string): Promise<boolean> {
    return (await this.database.query(TAKEN, [[username]])).length === 0;
  }

  private notInvited(): RegistrationOutcome {
    this.refusals.note('', (line, others) =>
      this.log.warn('auth_invitation_rejected', { ...line }, `A registration was refused: its invitation is unknown or has ended${others}`),
    );
    return { kind: 'refused', code: 'INVITATION_INVALID' };
  }

  private async checked(
    { email: typedEmail, username: typedUsername, password }: UserRegistration,
    isRefused: (username: string) => boolean = () => false,
  ): Promise<Pick<NewUser, 'email' | 'username'> | InvalidRegistration> {
    const email = emailOf(typedEmail);
    const wellFormed = usernameOf(typedUsername);
    const username = wellFormed === undefined || isRefused(wellFormed) ? undefined : wellFormed;
    const isPassword = faultOfPassword(password) === undefined;
    if (email === undefined || username === undefined || !isPassword)
      return { kind: 'invalid', faults: await this.faultsOf(email, username, isPassword) };
    return { email, username };
  }

  private async hashed(person: Pick<NewUser, 'email' | 'username'>, { address = '', password }: UserRegistration): Promise<NewUser> {
    return { ...person, id: newId(), passwordHash: await this.passwords.hash(address, password) };
  }

  private async add(tx: Pick<Tx, 'query'>, user: NewUser, codeHash: Buffer | null): Promise<RegisterVerdict> {
    return (await queryOne<{ verdict: RegisterVerdict }>(tx, REGISTER, [...NEW_USER.valuesOf(user), codeHash])).verdict;
  }

  private async usernameTaken(username: string): Promise<Extract<RegistrationOutcome, { kind: 'username_taken' }>> {
    return { kind: 'username_taken', proposals: await this.proposalsFor(username) };
  }

  /** All faults at once, a taken name included, so that one retry suffices. */
  private async faultsOf(email: string | undefined, username: string | undefined, isPassword: boolean): Promise<RegistrationFault[]> {
    const faults: RegistrationFault[] = [];
    if (email === undefined) faults.push({ field: 'email' });
    if (username === undefined) faults.push({ field: 'username' });
    else if (!(await this.isFree(username))) faults.push({ field: 'username', proposals: await this.proposalsFor(username) });
    if (!isPassword) faults.push({ field: 'password' });
    return faults;
  }

  private async proposalsFor(username: string): Promise<readonly string[]> {
    const names = namesLike(username);
    const taken = new Set((await this.database.query<{ username: string }>(TAKEN, [names])).map((row) => row.username));
    return names.filter((name) => !taken.has(name)).slice(0, PROPOSALS);
  }
}
