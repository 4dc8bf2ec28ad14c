import type { Evidence } from '../../../edge/auth/index.js';
import type { ClientFault } from '../../../edge/page/index.js';
import type { WalletBudget } from '../authorization-details.js';
import type { Audience } from './resources.js';

/** Discovery lists them. `fragment` is for response types that are not supported. */
export const RESPONSE_MODES = ['query', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** An authorization request (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1) that passed every check. Stored as JSON. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The value as received; null if there was none. */
  readonly state: string | null;
  readonly scopes: readonly string[];
  readonly audience: Audience;
  readonly responseMode: ResponseMode;
  /** S256; null if the client does not need PKCE and did not use it. */
  readonly codeChallenge: string | null;
  /** The thumbprint of the key that the code is bound to. */
  readonly dpopJkt: string | null;
  readonly nonce: string | null;
  readonly prompt: readonly Prompt[];
  /** `max_age`: how long ago the person may have signed in, in seconds. */
  readonly maxAgeSeconds: number | null;
  readonly loginHint: string | null;
  readonly subject: string | null;
  /** The budgets that it asks for; absent if none. */
  readonly authorizationDetails?: readonly WalletBudget[];
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

interface DirectErrorDetails {
  /** What app developers meet most, and no secret: the redirect URI is not registered, or the client is not approved. */
  readonly fault?: ClientFault;
  /** For the developer of the client, which exists. */
  readonly evidence?: Evidence;
  /** For the log: of an app that is not registered. */
  readonly document?: string;
  /** Of a request to end a session, whose page shows the reason. */
  readonly isLogout?: boolean;
}

/** The client or the redirect URI is not trusted, so the browser is not redirected: a page of Sluice shows the error. */
export class DirectAuthorizeError extends Error {
  /** @param reason for the log only: the page has one text for all reasons, but for the faults and the logout */
  constructor(
    readonly reason: string,
    readonly details: DirectErrorDetails = {},
  ) {
    super(reason);
  }
}

/**
 * Whether the sign-in is recent enough for a request at `askedAt`. That moment counts, so that a person who takes time over a page does not
 * have to sign in again.
 */
export function isFresh({ prompt, maxAgeSeconds }: AuthorizationRequest, authTime: Date, askedAt: Date): boolean {
  const signedInSince = authTime >= askedAt;
  if (prompt.includes('login') || prompt.includes('select_account') || maxAgeSeconds === 0) return signedInSince;
  return signedInSince || maxAgeSeconds === null || authTime.getTime() + maxAgeSeconds * 1000 >= askedAt.getTime();
}
