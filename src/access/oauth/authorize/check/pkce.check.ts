import { isChallenge } from '../../pkce.js';
import { invalidRequest, type AuthorizationContext, type AuthorizationRequest } from '../../request/authorization-request.js';

/** RFC 7636 section 4.3; without a method a challenge would mean `plain`. */
export function checkPkce({ parameters, client }: AuthorizationContext): Pick<AuthorizationRequest, 'codeChallenge'> {
  const [challenge, method] = [parameters.text('code_challenge'), parameters.text('code_challenge_method')];
  if (challenge === '' && method === '') {
    if (client.requirePkce) throw invalidRequest('code challenge required: use PKCE with S256');
    return { codeChallenge: null };
  }
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256');
  if (!isChallenge(challenge)) throw invalidRequest('code_challenge must be 43 characters of base64url');
  return { codeChallenge: challenge };
}
