import { OAuthError } from '../../oauth-error.js';
import { askedScopesIn } from '../../scope-text.js';
import type { AuthorizationContext, AuthorizationRequest } from '../../request/authorization-request.js';

/** RFC 6749 section 3.3. A missing scope is refused: an empty scope would permit nothing. */
export function checkScope({ parameters, client, catalogue }: AuthorizationContext): Pick<AuthorizationRequest, 'scopes'> {
  const scopes = askedScopesIn(parameters.text('scope'), client, catalogue);
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope is missing');
  const refused = scopes.find((scope) => !client.scopes.includes(scope));
  if (refused) throw new OAuthError('invalid_scope', `${refused} is not a scope that this client may ask for`);
  return { scopes };
}
