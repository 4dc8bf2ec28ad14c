import { isStorable } from '../../platform/kernel/text.js';

/** The person that a provider has authenticated. */
export interface ProvedIdentity {
  /** With `subject`, the name under which this server knows the person: neither ever belongs to another. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** The provider vouches for the address. */
  readonly emailVerified: boolean;
  /** A wish: another name is chosen where it is taken or reserved. */
  readonly username?: string | undefined;
  /** When the person authenticated at the provider; the epoch if that is unknown, so that the proof never counts as a fresh one. */
  readonly authTime: Date;
  /** How (RFC 8176). With `mfa` this server asks for no factor of its own. */
  readonly amr: readonly string[];
  /** The provider's session, if it can end that later. */
  readonly sid?: string | undefined;
}

/** `denied`: the provider or a check refused; `not_fresh`: this provider cannot ask the person for a new proof. */
export type IdentityRefusal = 'unavailable' | 'denied' | 'not_fresh';

export type IdentityOutcome =
  | { readonly kind: 'proved'; readonly identity: ProvedIdentity }
  /** `detail` is for the operator's log: without a secret or a token. */
  | { readonly kind: 'refused'; readonly reason: IdentityRefusal; readonly detail?: string };

export type IdentityStart =
  | IdentityOutcome
  /** `state` comes back to `finish`: this browser keeps it, encrypted, for ten minutes. At most 2,000 characters. */
  | { readonly kind: 'redirect'; readonly to: string; readonly state: string };

/** A browser that wants to sign in. */
export interface IdentityRequest {
  /** Each value of each header, by its lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The other end of the TCP connection: the last proxy, or the browser. */
  readonly peerAddress: string;
  /** Where the browser comes back to; its query then goes to `finish`. */
  readonly returnUrl: string;
  /** The person must authenticate now: an earlier sign-in at the provider does not count. */
  readonly fresh: boolean;
}

/** A provider's message that a session or a person's access has ended there. Without `sid` the person is removed: see `IDENTITY_REMOVED`. */
export interface IdentityLogout {
  /** Of the message: each counts once. At most 255 characters. */
  readonly id: string;
  readonly issuer: string;
  readonly subject?: string | undefined;
  readonly sid?: string | undefined;
}

/**
 * Says who signs in: the company's directory. `createApp({ identity })` brings one; without it, `IDENTITY_ISSUER` or `TRUSTED_IDENTITY_HEADER`
 * decides. It proves a person; whose account that is, and what they may do, this server decides.
 */
export abstract class IdentityProvider {
  /** On the button: "Continue with <name>". */
  abstract readonly name: string;

  /** `GET /login/company`. To a page of the organisation's own: `redirect` to it; it leads the browser to `returnUrl` when it is done. */
  abstract start(request: IdentityRequest): Promise<IdentityStart>;

  /** The browser is back. For providers that redirect. @param callbackUrl `returnUrl` with the query that the browser came back with */
  finish?(callbackUrl: URL, state: string): Promise<IdentityOutcome>;

  /** `POST /login/company/logout`. @returns null for a token that is not valid, or that is older than an hour */
  logout?(token: string): Promise<IdentityLogout | null>;
}

/** OpenID Connect Core 2 limits `sub` to them; no provider has a longer `iss` or `sid`. */
const MAX_CHARACTERS = 255;
const MAX_METHODS = 10;
const METHOD = /^[\w-]{1,32}$/;

/** Texts of a provider. */
export const areStorable = (texts: readonly string[]): boolean =>
  texts.every((text) => text !== '' && text.length <= MAX_CHARACTERS && isStorable(text));

/** What a provider says, as it may be stored; null if it names no person. */
export function checkedIdentity({ amr, ...identity }: ProvedIdentity): ProvedIdentity | null {
  const { issuer, subject, sid = 'none' } = identity;
  return areStorable([issuer, subject, sid])
    ? { ...identity, amr: amr.filter((method) => METHOD.test(method)).slice(0, MAX_METHODS) }
    : null;
}
