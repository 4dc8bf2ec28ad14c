import type { ScopeCatalogue } from '../../auth/index.js';
import type { Form } from '../../page/index.js';
import type { Client } from '../client/client.js';
import { OAuthError } from '../oauth-error.js';

/** An authorization request (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1) that passed every check. Kept as JSON. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** As received; null if there was none. */
  readonly state: string | null;
  /** As asked, each once, in that order. */
  readonly scopes: readonly string[];
  /** S256; null where the client need not and did not use PKCE. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly prompt: readonly Prompt[];
  /** How long ago the person may have signed in, in seconds. */
  readonly maxAgeSeconds: number | null;
  readonly loginHint: string | null;
  /** The person that the app expects, by their id. */
  readonly subject: string | null;
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** What a check may look at: the parameters, the client they came from, and what there is to be asked for. */
export interface Asked {
  readonly parameters: Form;
  readonly client: Client;
  readonly catalogue: ScopeCatalogue;
  /** Whose ID token this is: the person's id, or null if it is none of ours. */
  readonly subjectOf: (idToken: string) => Promise<string | null>;
}

/**
 * One check. It tells what it read, or throws what the app is told.
 * @throws OAuthError
 */
export type Check = (asked: Asked) => Partial<AuthorizationRequest> | Promise<Partial<AuthorizationRequest>>;

/** The client, or the address to answer at, is not to be trusted, so nobody is sent anywhere: the person is told, on a page of ours. */
export class NotRedirectable extends Error {
  /**
   * @param reason for the log only: the page has one text for all of them, but for
   * @param isAddress the address is not among those that the app registered: the mistake that its makers make most, and no secret
   */
  constructor(
    readonly reason: string,
    readonly isAddress = false,
  ) {
    super(reason);
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

/** Today's request, nothing asked yet. */
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
