import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import type { Form } from '../../../edge/page/index.js';
import { ClientService } from '../client/client.service.js';
import { oauthErrorOf } from '../http/oauth-error.filter.js';
import { SigningKeys } from '../key/signing-keys.js';
import { errorUrl } from '../request/response-url.js';
import { checkRequest, clientOf, redirectUriOf } from './checks.js';
import { stateOf } from './check/state.check.js';
import { AuthorizationFlow, TooManyAuthorizationRequests, type RequestingBrowser, type NextLocation } from './authorization-flow.js';

@Injectable()
export class AuthorizeService {
  constructor(
    private readonly clients: ClientService,
    private readonly flow: AuthorizationFlow,
    private readonly keys: SigningKeys,
    private readonly catalogue: ScopeCatalogue,
    private readonly config: Config,
  ) {}

  /** @throws DirectAuthorizeError if the browser may not be redirected; TooManyAuthorizationRequests */
  async authorize(parameters: Form, browser: RequestingBrowser): Promise<NextLocation> {
    const client = await clientOf(parameters, (id) => this.clients.find(id));
    const redirectUri = redirectUriOf(parameters, client);
    try {
      const context = { parameters, client, catalogue: this.catalogue, subjectOf: (token: string) => this.keys.subjectOf(token) };
      return await this.flow.after(await checkRequest(context, redirectUri), client, browser);
    } catch (error) {
      if (error instanceof TooManyAuthorizationRequests) throw error;
      return { location: errorUrl({ redirectUri, state: stateOf(parameters) }, this.config.issuerUrl, oauthErrorOf(error)), cookies: [] };
    }
  }
}
