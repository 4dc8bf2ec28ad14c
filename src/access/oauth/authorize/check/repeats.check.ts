import { invalidRequest, type AuthorizationContext } from '../../request/authorization-request.js';

const KNOWN: ReadonlySet<string> = new Set([
  'acr_values',
  'claims',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
]);

/** RFC 6749 section 3.1: a parameter comes once; unknown ones are ignored. PostgreSQL cannot store U+0000. */
export function checkRepeats({ parameters }: AuthorizationContext): void {
  const repeated = parameters.repeated.find((name) => KNOWN.has(name));
  if (repeated) throw invalidRequest(`${repeated} must not be repeated`);
  const nul = [...KNOWN].find((name) => parameters.text(name).includes('\0'));
  if (nul) throw invalidRequest(`${nul} must not contain U+0000`);
}
