import type { Evidence } from '../../edge/auth/index.js';

export type OAuthErrorCode =
  // RFC 6749 sections 4.1.2.1 and 5.2
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  // RFC 9449 sections 5 and 8
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  // RFC 6750 section 3.1, RFC 7009 section 2.2.1
  | 'invalid_token'
  | 'unsupported_token_type'
  // RFC 9396 section 5
  | 'invalid_authorization_details'
  // OpenID Connect Core section 3.1.2.6
  | 'consent_required'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  // RFC 8707 section 2
  | 'invalid_target'
  // Ory's own, kept because apps for the compatible service know it
  | 'invalid_state';

export class OAuthError extends Error {
  /** For the developer of the app alone. */
  evidence: Evidence | undefined;

  /**
   * @param description for developers; only characters that RFC 6749 allows: printable ASCII without `"` and `\`
   * @param status of a JSON response; errors in a redirect have none of their own
   */
  constructor(
    readonly code: OAuthErrorCode,
    description: string,
    readonly status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
  }

  because(evidence: Evidence): this {
    this.evidence = evidence;
    return this;
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

/** One text for every fault of a code or a refresh token: the reason goes to the log only. */
export const invalidGrant = (): OAuthError =>
  new OAuthError('invalid_grant', 'The grant is invalid, expired, revoked or was issued to another client');
