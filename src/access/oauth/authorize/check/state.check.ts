import type { Form } from '../../../../edge/page/index.js';
import { OAuthError } from '../../oauth-error.js';
import { invalidRequest, type AuthorizationContext, type AuthorizationRequest } from '../../request/authorization-request.js';

const MAX_BYTES = 2_048;
const MIN_BYTES = 8;

/** The `state` of every response to the app, errors included: left out if it came twice or is too long. */
export function stateOf(parameters: Form): string | null {
  const state = parameters.text('state');
  return state === '' || Buffer.byteLength(state) > MAX_BYTES ? null : state;
}

/** RFC 6749 section 10.12. A short state gives no protection; with PKCE, a better one (RFC 9700 section 2.1), it may be absent. */
export function checkState({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'state'> {
  const bytes = Buffer.byteLength(parameters.text('state'));
  if (bytes > MAX_BYTES) throw invalidRequest(`state must have at most ${MAX_BYTES} bytes`);
  const hasPkce = parameters.text('code_challenge') !== '' && parameters.text('code_challenge_method') === 'S256';
  if (bytes < MIN_BYTES && !hasPkce)
    throw new OAuthError('invalid_state', `state must have at least ${MIN_BYTES} bytes, unless PKCE with S256 is used`);
  return { state: stateOf(parameters) };
}
