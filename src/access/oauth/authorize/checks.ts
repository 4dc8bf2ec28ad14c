import type { Form } from '../../../edge/page/index.js';
import { isRegistered } from '../client/redirect-uri.js';
import type { Client } from '../client/client.js';
import { DirectAuthorizeError, type AuthorizationContext, type AuthorizationRequest } from '../request/authorization-request.js';
import { checkHints, checkMaxAge, checkNonce, checkPrompt } from './check/openid.check.js';
import { checkPkce } from './check/pkce.check.js';
import { checkRepeats } from './check/repeats.check.js';
import { checkRequestObject } from './check/request-object.check.js';
import { checkResponseMode, checkResponseType } from './check/response-type.check.js';
import { checkScope } from './check/scope.check.js';
import { checkState } from './check/state.check.js';

/** The client. Until this and the next check have passed, the browser may not be redirected (RFC 6749 section 4.1.2.1). */
export async function clientOf(parameters: Form, find: (id: string) => Promise<Client | null>): Promise<Client> {
  if (parameters.list('client_id').length > 1) throw new DirectAuthorizeError('client_id is repeated');
  const id = parameters.text('client_id');
  if (id === '') throw new DirectAuthorizeError('client_id is missing');
  const client = await find(id);
  if (!client) throw new DirectAuthorizeError('unknown client_id');
  if (client.state !== 'approved') throw new DirectAuthorizeError(`client ${client.id} is ${client.state}`, client.state);
  return client;
}

/** The redirect URI: always required, byte for byte as registered (RFC 9700 section 2.1). */
export function redirectUriOf(parameters: Form, client: Client): string {
  if (parameters.list('redirect_uri').length > 1) throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is repeated`);
  const uri = parameters.text('redirect_uri');
  if (uri === '') throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is missing`);
  if (!isRegistered(uri, client)) throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is not registered`, 'address');
  return uri;
}

/** The remaining checks, in order; their errors go to the app. @throws OAuthError of the first that fails */
export async function checkRequest(context: AuthorizationContext, redirectUri: string): Promise<AuthorizationRequest> {
  checkRepeats(context);
  checkRequestObject(context);
  checkResponseType(context);
  checkResponseMode(context);
  return {
    clientId: context.client.id,
    redirectUri,
    ...checkState(context),
    ...checkScope(context),
    ...checkPkce(context),
    ...checkNonce(context),
    ...checkPrompt(context),
    ...checkMaxAge(context),
    ...(await checkHints(context)),
  };
}
