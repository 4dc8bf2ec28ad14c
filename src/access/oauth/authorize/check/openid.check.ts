import { OAuthError } from '../../oauth-error.js';
import {
  invalidRequest,
  PROMPTS,
  type AuthorizationContext,
  type AuthorizationRequest,
  type Prompt,
} from '../../request/authorization-request.js';

const MAX_NONCE_BYTES = 1_000;
const MAX_HINT = 320;

/** OpenID Connect Core section 3.1.2.1: `nonce`. */
export function checkNonce({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'nonce'> {
  const nonce = parameters.text('nonce');
  if (Buffer.byteLength(nonce) > MAX_NONCE_BYTES) throw invalidRequest(`nonce must have at most ${MAX_NONCE_BYTES} bytes`);
  return { nonce: nonce === '' ? null : nonce };
}

/** OpenID Connect Core section 3.1.2.1: `prompt`. */
export function checkPrompt({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'prompt'> {
  const asked = [...new Set(parameters.text('prompt').split(' ').filter(Boolean))];
  const prompt = PROMPTS.filter((known) => asked.includes(known)) satisfies Prompt[];
  if (prompt.length < asked.length) throw invalidRequest(`prompt must be one or more of ${PROMPTS.join(', ')}`);
  if (prompt.includes('none') && prompt.length > 1) throw invalidRequest('prompt=none must not be combined with other values');
  return { prompt };
}

/** OpenID Connect Core section 3.1.2.1: `max_age`. */
export function checkMaxAge({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'maxAgeSeconds'> {
  const text = parameters.text('max_age');
  if (text === '') return { maxAgeSeconds: null };
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest('max_age must be a number of seconds');
  return { maxAgeSeconds: Number(text) };
}

/** OpenID Connect Core section 3.1.2.1: `id_token_hint`, issued by Sluice, expired or not; and `login_hint`, which is never invalid. */
export async function checkHints({
  parameters,
  subjectOf,
}: AuthorizationContext): Promise<Pick<AuthorizationRequest, 'subject' | 'loginHint'>> {
  const [idToken, hint] = [parameters.text('id_token_hint'), parameters.text('login_hint')];
  const loginHint = hint === '' ? null : hint.slice(0, MAX_HINT);
  if (idToken === '') return { subject: null, loginHint };
  const subject = await subjectOf(idToken);
  if (subject === null) throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this server');
  return { subject, loginHint };
}
