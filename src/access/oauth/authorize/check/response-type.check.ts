import { OAuthError } from '../../oauth-error.js';
import { invalidRequest, type AuthorizationContext } from '../../request/authorization-request.js';

/** Supported response types and modes; discovery lists both. */
export const RESPONSE_TYPES = ['code'] as const;
export const RESPONSE_MODES = ['query'] as const;

/** RFC 6749 section 3.1.1. The implicit and hybrid types are not supported (RFC 9700 section 2.1.2). */
export function checkResponseType({ parameters, client }: AuthorizationContext): void {
  const type = parameters.text('response_type');
  if (type === '') throw invalidRequest('response_type is missing');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  if (!client.grantTypes.includes('authorization_code'))
    throw new OAuthError('unauthorized_client', 'The grant type authorization_code is not allowed for this client');
}

/** OAuth 2.0 Multiple Response Types section 2.1. */
export function checkResponseMode({ parameters }: AuthorizationContext): void {
  const mode = parameters.text('response_mode');
  if (mode !== '' && mode !== 'query') throw invalidRequest('response_mode must be query');
}
