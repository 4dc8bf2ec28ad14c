import { OAuthError } from '../../oauth-error.js';
import type { AuthorizationContext } from '../../request/authorization-request.js';

/** OpenID Connect Core section 6: requests by value or reference are not supported; discovery says so. */
export function checkRequestObject({ parameters }: AuthorizationContext): void {
  if (parameters.text('request')) throw new OAuthError('request_not_supported', 'Request objects are not supported');
  if (parameters.text('request_uri')) throw new OAuthError('request_uri_not_supported', 'request_uri is not supported');
  if (parameters.text('registration'))
    throw new OAuthError('registration_not_supported', 'Dynamic registration is not supported: the operator registers clients');
}
