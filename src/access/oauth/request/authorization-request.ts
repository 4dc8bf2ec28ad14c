import type { ScopeCatalogue } from '../../../edge/auth/index.js';
import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { OAuthError } from '../oauth-error.js';

/** An authorization request (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1) that passed every check. Stored as JSON. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The value as received; null if there was none. */
  readonly state: string | null;
  readonly scopes: readonly string[];
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
  readonly client: Client;
  readonly catalogue: ScopeCatalogue;
  readonly subjectOf: (idToken: string) => Promise<string | null>;
}

export type Check = (context: AuthorizationContext) => Partial<AuthorizationRequest> | Promise<Partial<AuthorizationRequest>>;

/** The client or the redirect URI is not trusted, so the browser is not redirected: a page of Sluice shows the error. */
export class DirectAuthorizeError extends Error {
  /**
   * @param reason for the log only: the page has one text for all reasons, except:
   * @param isAddress the redirect URI is not registered: the most common mistake of app developers, and no secret
   */
  constructor(
    readonly reason: string,
    readonly isAddress = false,
  ) {
    super(reason);
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

export const blankRequest = (clientId: string, redirectUri: string): AuthorizationRequest => ({
  clientId,
  redirectUri,
  state: null,
  scopes: [],
  codeChallenge: null,
  nonce: null,
  prompt: [],
  maxAgeSeconds: null,
  loginHint: null,
  subject: null,
});
