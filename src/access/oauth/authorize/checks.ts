import type { ScopeCatalogue } from '../../../edge/auth/index.js';
import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { isRegistered, redirectEvidence } from '../client/redirect-uri.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { isChallenge } from '../pkce.js';
import {
  DirectAuthorizeError,
  PROMPTS,
  RESPONSE_MODES,
  type AuthorizationRequest,
  type Prompt,
  type ResponseMode,
} from '../request/authorization-request.js';
import { walletBudgetsInJson } from '../authorization-details.js';
import { askedScopesIn } from '../scope-text.js';

interface AuthorizationContext {
  readonly parameters: Form;
  readonly client: Client;
  /** By the client itself, at the endpoint for that (RFC 9126). */
  readonly isPushed: boolean;
  readonly catalogue: ScopeCatalogue;
}

/** The redirect URI: always required, byte for byte as registered (RFC 9700 section 2.1). */
export function redirectUriOf(parameters: Form, client: Client): string {
  if (parameters.list('redirect_uri').length > 1) throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is repeated`);
  const uri = parameters.text('redirect_uri');
  if (uri === '') throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is missing`);
  if (!isRegistered(uri, client))
    throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is not registered`, {
      fault: 'address',
      evidence: redirectEvidence(uri, client.redirectUris),
    });
  return uri;
}

const KNOWN: ReadonlySet<string> = new Set(
  `acr_values authorization_details claims claims_locales client_id code_challenge code_challenge_method display
   dpop_jkt id_token_hint login_hint max_age nonce prompt redirect_uri registration request request_uri
   response_mode response_type scope state ui_locales`.split(/\s+/),
);

/** RFC 6749 section 3.1: a parameter comes once; unknown ones are ignored. PostgreSQL cannot store U+0000. */
function checkRepeats({ parameters }: AuthorizationContext): void {
  const repeated = parameters.repeated.find((name) => KNOWN.has(name));
  if (repeated) throw invalidRequest(`${repeated} must not be repeated`);
  const nul = [...KNOWN].find((name) => parameters.text(name).includes('\0'));
  if (nul) throw invalidRequest(`${nul} must not contain U+0000`);
}

/** OpenID Connect Core section 6: requests by value or reference are not supported; discovery says so. */
function checkRequestObject({ parameters }: AuthorizationContext): void {
  if (parameters.text('request')) throw new OAuthError('request_not_supported', 'Request objects are not supported');
  if (parameters.text('request_uri')) throw new OAuthError('request_uri_not_supported', 'request_uri is not supported');
  if (parameters.text('registration'))
    throw new OAuthError('registration_not_supported', 'Dynamic registration is not supported: the operator registers clients');
}

/** RFC 9126 section 5: `require_pushed_authorization_requests`, for one client. */
function checkPushed({ client, isPushed }: AuthorizationContext): void {
  if (client.requirePar && !isPushed) throw invalidRequest('This client must push its authorization requests (RFC 9126)');
}

/** RFC 6749 section 3.1.1. The implicit and hybrid types are not supported (RFC 9700 section 2.1.2). */
function checkResponseType({ parameters, client }: AuthorizationContext): void {
  const type = parameters.text('response_type');
  if (type === '') throw invalidRequest('response_type is missing');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  if (!client.grantTypes.includes('authorization_code'))
    throw new OAuthError('unauthorized_client', 'The grant type authorization_code is not allowed for this client');
}

/** A native app's own scheme cannot receive a posted form. */
const takesForms = (redirectUri: string): boolean => /^https?:/.test(redirectUri);

/** How every response to the app travels, errors included: in the query, unless the request asks for a form and the app can get one. */
export const responseModeOf = (parameters: Form, redirectUri: string): ResponseMode =>
  parameters.text('response_mode') === 'form_post' && takesForms(redirectUri) ? 'form_post' : 'query';

/** OAuth 2.0 Multiple Response Types section 2.1, Form Post Response Mode section 2. */
function checkResponseMode({ parameters }: AuthorizationContext, redirectUri: string): Pick<AuthorizationRequest, 'responseMode'> {
  const [asked, responseMode] = [parameters.text('response_mode'), responseModeOf(parameters, redirectUri)];
  if (asked !== '' && asked !== responseMode)
    throw invalidRequest(`response_mode must be ${takesForms(redirectUri) ? RESPONSE_MODES.join(' or ') : 'query'}`);
  return { responseMode };
}

const MAX_STATE_BYTES = 2_048;
const MIN_STATE_BYTES = 8;

/** The `state` of every response to the app, errors included: left out if it came twice or is too long. */
export function stateOf(parameters: Form): string | null {
  const state = parameters.text('state');
  return state === '' || Buffer.byteLength(state) > MAX_STATE_BYTES ? null : state;
}

/** RFC 6749 section 10.12. A short state gives no protection; with PKCE, a better one (RFC 9700 section 2.1), it may be absent. */
function checkState({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'state'> {
  const bytes = Buffer.byteLength(parameters.text('state'));
  if (bytes > MAX_STATE_BYTES) throw invalidRequest(`state must have at most ${MAX_STATE_BYTES} bytes`);
  const hasPkce = parameters.text('code_challenge') !== '' && parameters.text('code_challenge_method') === 'S256';
  if (bytes < MIN_STATE_BYTES && !hasPkce)
    throw new OAuthError('invalid_state', `state must have at least ${MIN_STATE_BYTES} bytes, unless PKCE with S256 is used`);
  return { state: stateOf(parameters) };
}

/** RFC 6749 section 3.3. A missing scope is refused: an empty scope would permit nothing. */
function checkScope({ parameters, client, catalogue }: AuthorizationContext): Pick<AuthorizationRequest, 'scopes'> {
  const scopes = askedScopesIn(parameters.text('scope'), client, catalogue);
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope is missing');
  const refused = scopes.find((scope) => !client.scopes.includes(scope));
  if (refused)
    throw new OAuthError('invalid_scope', `${refused} is not a scope that this client may ask for`).because({
      cause: 'scope_unregistered',
      sent: scopes.join(' '),
      registered: client.scopes.join(' '),
    });
  return { scopes };
}

/** RFC 9396 section 2. Without the parameter, the operator's default for this client holds where it asks to move money. */
function checkAuthorizationDetails(
  { parameters, client, catalogue }: AuthorizationContext,
  { scopes }: Pick<AuthorizationRequest, 'scopes'>,
): Pick<AuthorizationRequest, 'authorizationDetails'> {
  const text = parameters.text('authorization_details');
  const movesMoney = scopes.some((scope) => catalogue.find(scope)?.movesMoney);
  if (text !== '') {
    const authorizationDetails = walletBudgetsInJson(text);
    if (movesMoney) return { authorizationDetails };
    throw new OAuthError(
      'invalid_authorization_details',
      'authorization_details: wallet_budget needs a scope that sends money, such as write',
    );
  }
  return movesMoney && client.authorizationDetails.length > 0 ? { authorizationDetails: client.authorizationDetails } : {};
}

/** RFC 7636 section 4.3; without a method a challenge would mean `plain`. */
function checkPkce({ parameters, client }: AuthorizationContext): Pick<AuthorizationRequest, 'codeChallenge'> {
  const [challenge, method] = [parameters.text('code_challenge'), parameters.text('code_challenge_method')];
  if (challenge === '' && method === '') {
    if (client.requirePkce) throw invalidRequest('code challenge required: use PKCE with S256');
    return { codeChallenge: null };
  }
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256');
  if (!isChallenge(challenge)) throw invalidRequest('code_challenge must be 43 characters of base64url');
  return { codeChallenge: challenge };
}

/** RFC 9449 section 10: the code is bound to the key with this thumbprint. */
function checkDpopKey({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'dpopJkt'> {
  const jkt = parameters.text('dpop_jkt');
  if (jkt !== '' && !/^[\w-]{43}$/.test(jkt)) throw invalidRequest('dpop_jkt must be 43 characters of base64url');
  return { dpopJkt: jkt === '' ? null : jkt };
}

const MAX_NONCE_BYTES = 1_000;
const MAX_HINT = 320;

/** OpenID Connect Core section 3.1.2.1: `nonce`. */
function checkNonce({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'nonce'> {
  const nonce = parameters.text('nonce');
  if (Buffer.byteLength(nonce) > MAX_NONCE_BYTES) throw invalidRequest(`nonce must have at most ${MAX_NONCE_BYTES} bytes`);
  return { nonce: nonce === '' ? null : nonce };
}

/** OpenID Connect Core section 3.1.2.1: `prompt`. */
function checkPrompt({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'prompt'> {
  const asked = [...new Set(parameters.text('prompt').split(' ').filter(Boolean))];
  const prompt = PROMPTS.filter((known) => asked.includes(known)) satisfies Prompt[];
  if (prompt.length < asked.length) throw invalidRequest(`prompt must be one or more of ${PROMPTS.join(', ')}`);
  if (prompt.includes('none') && prompt.length > 1) throw invalidRequest('prompt=none must not be combined with other values');
  return { prompt };
}

/** OpenID Connect Core section 3.1.2.1: `max_age`. */
function checkMaxAge({ parameters }: AuthorizationContext): Pick<AuthorizationRequest, 'maxAgeSeconds'> {
  const text = parameters.text('max_age');
  if (text === '') return { maxAgeSeconds: null };
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest('max_age must be a number of seconds');
  return { maxAgeSeconds: Number(text) };
}

/** The remaining checks, in order; their errors go to the app. @throws OAuthError of the first that fails */
export function checkRequest(context: AuthorizationContext, redirectUri: string): Omit<AuthorizationRequest, 'subject' | 'audience'> {
  checkRepeats(context);
  checkRequestObject(context);
  checkPushed(context);
  checkResponseType(context);
  const mode = checkResponseMode(context, redirectUri);
  const [state, asked] = [checkState(context), checkScope(context)];
  return {
    clientId: context.client.id,
    redirectUri,
    ...mode,
    ...state,
    ...asked,
    ...checkAuthorizationDetails(context, asked),
    ...checkPkce(context),
    ...checkDpopKey(context),
    ...checkNonce(context),
    ...checkPrompt(context),
    ...checkMaxAge(context),
    // Never invalid. Cut between characters: PostgreSQL refuses half of one.
    loginHint: [...context.parameters.text('login_hint')].slice(0, MAX_HINT).join('') || null,
  };
}
