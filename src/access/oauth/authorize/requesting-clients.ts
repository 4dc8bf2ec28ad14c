import { Injectable } from '@nestjs/common';
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

  /** @throws DirectAuthorizeError if the document cannot be used; TooManyAuthorizationRequests */
  async find(id: string, { address, cookies }: RequestingBrowser): Promise<Client | null> {
    if (!isDocumentUrl(id)) return this.clients.find(id);
    const outcome = await this.documents.find(id, { address, visitor: await this.sessions.find(cookies) });
    switch (outcome.kind) {
      case 'client':
        return outcome.client;
      case 'limited':
        throw new TooManyAuthorizationRequests(outcome.limit);
      case 'refused':
        throw new DirectAuthorizeError(`the document of an unregistered app: ${outcome.reason}`, undefined, undefined, id);
      case 'waits':
      case 'unasked':
        throw new DirectAuthorizeError(
          'the document of an unregistered app waits for its approval',
          outcome.kind === 'waits' ? 'pending' : 'unasked',
          undefined,
          id,
        );
    }
  }
}
