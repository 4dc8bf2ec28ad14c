import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { SigningKeys } from '../key/signing-keys.js';
import { DirectAuthorizeError, type AuthorizationRequest } from '../request/authorization-request.js';
import { isPushedUri, PushedRequests } from '../request/pushed-requests.js';
import { Resources } from '../request/resources.js';
import type { RequestingBrowser } from './authorization-flow.js';
import { checkRequest } from './checks.js';
import { RequestingClients } from './requesting-clients.js';
import { clientOf } from './target.js';

/** The checks of checks.ts, with what they have to ask. */
@Injectable()
export class RequestChecks {
  constructor(
    private readonly keys: SigningKeys,
    private readonly catalogue: ScopeCatalogue,
    private readonly resources: Resources,
    private readonly pushed: PushedRequests,
    private readonly requesting: RequestingClients,
  ) {}

  /** @throws DirectAuthorizeError; TooManyAuthorizationRequests for documents of unregistered clients */
  clientOf(sent: Form, browser: RequestingBrowser): Promise<Client> {
    return clientOf(sent, (id) => this.requesting.find(id, browser));
  }

  /** Of a pushed request nothing else counts that the browser brings (RFC 9126 section 4). @throws DirectAuthorizeError */
  async parametersOf(sent: Form, { id }: Client): Promise<Form> {
    const requestUri = sent.text('request_uri');
    if (!isPushedUri(requestUri)) return sent;
    const pushed = await this.pushed.take(id, requestUri);
    if (pushed) return pushed;
    throw new DirectAuthorizeError(`client ${id}: its pushed request is unknown, used or expired`, 'request', { cause: 'request_uri' });
  }

  /** @param redirectUri of the request, already checked. @throws OAuthError */
  judge(parameters: Form, client: Client, redirectUri: string, isPushed: boolean): Promise<AuthorizationRequest> {
    const context = {
      parameters,
      client,
      isPushed,
      catalogue: this.catalogue,
      subjectOf: (token: string) => this.keys.subjectOf(token),
      audienceOf: (form: Form) => this.resources.audienceOf(form),
    };
    return checkRequest(context, redirectUri);
  }
}
