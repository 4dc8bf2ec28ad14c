import { Injectable } from '@nestjs/common';
import type { Form } from '../../../edge/page/index.js';
import { PageSessions } from '../../session/index.js';
import { ClientDocuments } from '../application/client-documents.js';
import { isDocumentUrl, type Client } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { TooManyAuthorizationRequests, type RequestingBrowser } from './authorization-flow.js';

/** The client that an authorization request names: a registered one, or one that a document describes. */
@Injectable()
export class RequestingClients {
  constructor(
    private readonly clients: ClientService,
    private readonly documents: ClientDocuments,
    private readonly sessions: PageSessions,
  ) {}

  /**
   * Until this and `redirectUriOf` have passed, the browser may not be redirected (RFC 6749 section 4.1.2.1).
   * @throws DirectAuthorizeError; TooManyAuthorizationRequests for documents
   */
  async of(parameters: Form, browser: RequestingBrowser): Promise<Client> {
    if (parameters.list('client_id').length > 1) throw new DirectAuthorizeError('client_id is repeated');
    const id = parameters.text('client_id');
    if (id === '') throw new DirectAuthorizeError('client_id is missing');
    const client = isDocumentUrl(id) ? await this.described(id, browser) : await this.clients.find(id);
    if (!client) throw new DirectAuthorizeError('unknown client_id');
    const { state } = client;
    if (state === 'pending' || state === 'suspended')
      throw new DirectAuthorizeError(`client ${client.id} is ${state}`, { fault: state, evidence: { cause: state } });
    return client;
  }

  private async described(document: string, { address, cookies }: RequestingBrowser): Promise<Client> {
    const outcome = await this.documents.find(document, { address, visitor: await this.sessions.find(cookies) });
    if (outcome.kind === 'client') return outcome.client;
    if (outcome.kind === 'limited') throw new TooManyAuthorizationRequests(outcome.limit);
    const app = 'the document of an unregistered app';
    if (outcome.kind === 'refused') throw new DirectAuthorizeError(`${app}: ${outcome.reason}`, { document });
    throw new DirectAuthorizeError(`${app} waits for its approval`, { fault: outcome.kind, document });
  }
}
