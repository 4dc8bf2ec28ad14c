import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { SigningKeys } from '../key/signing-keys.js';
import { invalidRequest } from '../oauth-error.js';
import { DirectAuthorizeError, type AuthorizationRequest } from '../request/authorization-request.js';
import { isPushedUri, PushedRequests } from '../request/pushed-requests.js';
import { Resources } from '../request/resources.js';
import type { RequestingBrowser } from './authorization-flow.js';
import { checkRequest } from './checks.js';
import { RequestingClients } from './requesting-clients.js';

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

  /** @throws as `RequestingClients.of` */
  clientOf(sent: Form, browser: RequestingBrowser): Promise<Client> {
    return this.requesting.of(sent, browser);
  }

  /** Of a pushed request nothing else counts that the browser brings (RFC 9126 section 4). @throws DirectAuthorizeError */
  async parametersOf(sent: Form, { id }: Client): Promise<Form> {
    const requestUri = sent.text('request_uri');
    if (!isPushedUri(requestUri)) return sent;
    const pushed = await this.pushed.take(id, requestUri);
    if (pushed) return pushed;
    throw new DirectAuthorizeError(`client ${id}: its pushed request is unknown, used or expired`, {
      fault: 'request',
      evidence: { cause: 'request_uri' },
    });
  }

  /** @param redirectUri of the request, already checked. @throws OAuthError */
  async judge(parameters: Form, client: Client, redirectUri: string, isPushed: boolean): Promise<AuthorizationRequest> {
    const request = checkRequest({ parameters, client, isPushed, catalogue: this.catalogue }, redirectUri);
    const subject = await this.subjectOf(parameters.text('id_token_hint'));
    return { ...request, subject, audience: await this.resources.audienceOf(parameters) };
  }

  /** OpenID Connect Core section 3.1.2.1: `id_token_hint`, issued by Sluice, expired or not. */
  private async subjectOf(idToken: string): Promise<string | null> {
    if (idToken === '') return null;
    const known = await this.keys.verified(idToken);
    if (!known) throw invalidRequest('id_token_hint is not an ID token of this server');
    return known.sub;
  }
}
