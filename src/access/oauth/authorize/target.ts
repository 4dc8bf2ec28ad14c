import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { isRegistered, redirectEvidence } from '../client/redirect-uri.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';

/** The client. Until this and the next check have passed, the browser may not be redirected (RFC 6749 section 4.1.2.1). */
export async function clientOf(parameters: Form, find: (id: string) => Promise<Client | null>): Promise<Client> {
  if (parameters.list('client_id').length > 1) throw new DirectAuthorizeError('client_id is repeated');
  const id = parameters.text('client_id');
  if (id === '') throw new DirectAuthorizeError('client_id is missing');
  const client = await find(id);
  if (!client) throw new DirectAuthorizeError('unknown client_id');
  if (client.state === 'pending' || client.state === 'suspended')
    throw new DirectAuthorizeError(`client ${client.id} is ${client.state}`, client.state, { cause: client.state });
  return client;
}

/** The redirect URI: always required, byte for byte as registered (RFC 9700 section 2.1). */
export function redirectUriOf(parameters: Form, client: Client): string {
  if (parameters.list('redirect_uri').length > 1) throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is repeated`);
  const uri = parameters.text('redirect_uri');
  if (uri === '') throw new DirectAuthorizeError(`client ${client.id}: redirect_uri is missing`);
  if (!isRegistered(uri, client))
    throw new DirectAuthorizeError(
      `client ${client.id}: redirect_uri is not registered`,
      'address',
      redirectEvidence(uri, client.redirectUris),
    );
  return uri;
}
