import type { Evidence, ScopeCatalogue } from '../../../edge/auth/index.js';
import type { ClientFault, Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { OAuthError } from '../oauth-error.js';
import type { Audience } from './resources.js';

/** An authorization request (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1) that passed every check. Stored as JSON. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The value as received; null if there was none. */
  readonly state: string | null;
  readonly scopes: readonly string[];
  /** Of a request that an earlier release stored it is not there. */
  readonly audience?: Audience;
  /** S256; null if the client does not need PKCE and did not use it. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly prompt: readonly Prompt[];
  /** `max_age`: how long ago the person may have signed in, in seconds. */
  readonly maxAgeSeconds: number | null;
  readonly loginHint: string | null;
  readonly subject: string | null;
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

export interface AuthorizationContext {
  readonly parameters: Form;
  readonly audienceOf: (parameters: Form) => Promise<Audience>;
  readonly client: Client;
  readonly catalogue: ScopeCatalogue;
  readonly subjectOf: (idToken: string) => Promise<string | null>;
}

/** The client or the redirect URI is not trusted, so the browser is not redirected: a page of Sluice shows the error. */
export class DirectAuthorizeError extends Error {
  /**
   * @param reason for the log only: the page has one text for all reasons, except for a `fault`
   * @param evidence for the developer of the client, which exists
   * @param fault what app developers meet most, and no secret: the redirect URI is not registered, or the client is not approved
   */
  constructor(
    readonly reason: string,
    readonly fault?: ClientFault,
    readonly evidence?: Evidence,
  ) {
    super(reason);
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

/**
 * Whether the sign-in is recent enough for a request at `askedAt`. That moment counts, so that a person who takes time over a page does not
 * have to sign in again.
 */
export function isFresh({ prompt, maxAgeSeconds }: AuthorizationRequest, authTime: Date, askedAt: Date): boolean {
  const signedInSince = authTime >= askedAt;
  if (prompt.includes('login') || prompt.includes('select_account') || maxAgeSeconds === 0) return signedInSince;
  return signedInSince || maxAgeSeconds === null || authTime.getTime() + maxAgeSeconds * 1000 >= askedAt.getTime();
}

export type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** RFC 6749 section 4.1.2 and RFC 9207. The URI is extended as text: parsing it could change a registered byte. */
function responseUrl({ redirectUri, state }: ResponseTarget, issuer: string, parameters: Readonly<Record<string, string>>): string {
  const all = { ...parameters, ...(state !== null && { state }), iss: issuer };
  const query = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return `${redirectUri}${joint}${query.join('&')}`;
}

/** `scope` is not in the RFC; the compatible service sends and documents it. */
export const successUrl = (to: ResponseTarget, issuer: string, code: string, scopes: readonly string[]): string =>
  responseUrl(to, issuer, { code, scope: scopes.join(' ') });

export const errorUrl = (to: ResponseTarget, issuer: string, { code, message }: OAuthError): string =>
  responseUrl(to, issuer, { error: code, error_description: message });
