import { Injectable } from '@nestjs/common';
import { PolicyCheck, type PaymentVeto } from '../../edge/auth/index.js';
import { Database, isUniqueViolation, sql } from '../../platform/database/index.js';
import { SessionOpener, type SignInCaller, type SignInOutcome } from '../session/index.js';
import { emailOf, personNameOf, UserService, type RegistrationIntent } from '../user/index.js';
import type { IdentityProvider, ProvedIdentity } from './identity-provider.js';
import { IdentitySettings } from './identity.settings.js';
import { OpenIdProvider } from './openid-provider.js';
import { TrustedHeader } from './trusted-header.js';

export type IdentitySignInOutcome =
  | SignInOutcome
  /** The provider sent no address that an account can have. */
  | { readonly kind: 'unusable' }
  /** Another account has the address, and the rules of linking do not permit to give it away. */
  | { readonly kind: 'email_taken' }
  | ({ readonly kind: 'vetoed' } & PaymentVeto);

type PersonOutcome = { readonly kind: 'found'; readonly id: string } | Exclude<IdentitySignInOutcome, SignInOutcome>;

/** Each try proposes other names. */
const MAX_NAME_TRIES = 5;

const PROVE = sql`UPDATE user_identity SET proved_at = now(), removed_at = NULL WHERE issuer = $1 AND subject = $2 RETURNING user_id AS id`;
const FIND = sql`SELECT i.user_id AS id FROM user_identity i WHERE i.issuer = $1 AND i.subject = $2`;
const ADD = sql`INSERT INTO user_identity (issuer, subject, user_id) VALUES ($1, $2, $3)`;
/**
 * The account must have verified its address too: anybody could have registered it. It must have no identity of this issuer: a company may give
 * an address to another person later.
 */
const LINK = sql`WITH linked AS (
           INSERT INTO user_identity (issuer, subject, user_id)
           SELECT $1, $2, u.id FROM app_user u WHERE u.email = $3 AND u.email_verified_at IS NOT NULL AND u.disabled_at IS NULL
           ON CONFLICT DO NOTHING RETURNING user_id)
         SELECT l.user_id AS id, notice_add(l.user_id, 'identity_linked', jsonb_build_object('name', $4::text)) FROM linked l`;

/** Signs in the people that the company's provider has authenticated. */
@Injectable()
export class IdentitySignIn {
  private current: IdentityProvider | null;

  constructor(
    private readonly settings: IdentitySettings,
    private readonly database: Database,
    private readonly users: UserService,
    private readonly policy: PolicyCheck,
    private readonly opener: SessionOpener,
  ) {
    this.current = providerOf(settings);
  }

  /** Null: people sign in here alone. */
  get provider(): IdentityProvider | null {
    return this.current;
  }

  /** @internal */
  use(provider: IdentityProvider): void {
    this.current = provider;
  }

  /** The account of an identity that has signed in before. */
  async findOwner({ issuer, subject }: Pick<ProvedIdentity, 'issuer' | 'subject'>): Promise<string | null> {
    return (await this.database.query<{ id: string }>(FIND, [issuer, subject]))[0]?.id ?? null;
  }

  /**
   * Finds the person, or makes an account whatever `REGISTRATION` says: the company's directory decides who its people are.
   * @param provedAt when they authenticated
   */
  async signIn(identity: ProvedIdentity, provedAt: Date, caller: SignInCaller): Promise<IdentitySignInOutcome> {
    const person = await this.personOf(identity, caller.address);
    if (person.kind !== 'found') return person;
    const { issuer, sid } = identity;
    return this.opener.open(person, { authTime: provedAt, amr: identity.amr, issuer, ...(sid !== undefined && { sid }) }, caller);
  }

  private async personOf(identity: ProvedIdentity, address: string): Promise<PersonOutcome> {
    const known = await this.prove(identity);
    if (known) return known;
    const email = emailOf(identity.email);
    if (email === undefined) return { kind: 'unusable' };
    const linked = this.settings.IDENTITY_LINK_BY_EMAIL && identity.emailVerified ? await this.link(identity, email) : null;
    if (linked) return linked;
    const added = await this.add(identity, email, address);
    // The address belongs to the account that another sign-in of the same person has just made.
    return added.kind === 'email_taken' ? ((await this.prove(identity)) ?? added) : added;
  }

  private async prove({ issuer, subject }: ProvedIdentity): Promise<PersonOutcome | null> {
    const [known] = await this.database.query<{ id: string }>(PROVE, [issuer, subject]);
    return known ? { kind: 'found', id: known.id } : null;
  }

  private async link({ issuer, subject }: ProvedIdentity, email: string): Promise<PersonOutcome | null> {
    const [linked] = await this.database.query<{ id: string }>(LINK, [issuer, subject, email, this.current?.name ?? '']);
    return linked ? { kind: 'found', id: linked.id } : null;
  }

  private async add({ issuer, subject, emailVerified, ...wished }: ProvedIdentity, email: string, address: string): Promise<PersonOutcome> {
    let username = personNameOf(wished.username, email);
    for (let tries = 0; tries < MAX_NAME_TRIES; tries++) {
      const intent: RegistrationIntent = { email, username, address };
      const veto = await this.policy.findVeto('findRegistrationVeto', intent);
      if (veto) return { kind: 'vetoed', ...veto };
      const made = await this.users
        .create({ email, username, emailVerified, address }, (tx, { id }) => tx.query(ADD, [issuer, subject, id]))
        .catch((error: unknown) => {
          if (isUniqueViolation(error)) return { kind: 'email_taken' } as const;
          throw error;
        });
      if (made.kind === 'created') return { kind: 'found', id: made.user.id };
      if (made.kind === 'email_taken') return made;
      username = (made.kind === 'username_taken' && made.proposals[0]) || personNameOf(undefined, `person@${subject}`);
    }
    throw new Error('No free username was found');
  }
}

function providerOf(settings: IdentitySettings): IdentityProvider | null {
  const { IDENTITY_ISSUER: issuer, IDENTITY_CLIENT_ID: clientId, IDENTITY_NAME: name, TRUSTED_IDENTITY_HEADER: header } = settings;
  if (issuer !== undefined && clientId !== undefined) return new OpenIdProvider(name, issuer, clientId, settings.IDENTITY_CLIENT_SECRET);
  return header === undefined ? null : new TrustedHeader(name, header, settings.TRUSTED_IDENTITY_PROXIES);
}
