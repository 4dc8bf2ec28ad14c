import { OAuthError } from '../../oauth-error.js';
import type { Asked } from '../authorization-request.js';

/** OpenID Connect Core section 6: requests by value or reference are not supported; discovery says so. */
export function checkRequestObject({ parameters }: Asked): object {
  if (parameters.text('request')) throw new OAuthError('request_not_supported', 'Send the parameters themselves');
  if (parameters.text('request_uri')) throw new OAuthError('request_uri_not_supported', 'Send the parameters themselves');
  if (parameters.text('registration')) throw new OAuthError('registration_not_supported', 'Clients are registered with the operator');
  return {};
}
