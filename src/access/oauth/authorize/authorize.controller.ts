import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ScopeCatalogue } from '../../../edge/auth/index.js';
import { parametersOf } from '../http/parameters.js';
import { ROUTES } from '../routes.js';
import { DirectAuthorizeError, errorUrl } from '../request/authorization-request.js';
import { Resources } from '../request/resources.js';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { Config } from '../../../platform/config/index.js';
import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { oauthErrorOf } from '../http/oauth-error.filter.js';
import { SigningKeys } from '../key/signing-keys.js';
import { checkRequest, clientOf, redirectUriOf, stateOf } from './checks.js';
import { AuthorizationFlow, TooManyAuthorizationRequests, type RequestingBrowser, type NextLocation } from './authorization-flow.js';

/** `GET|POST /oauth2/auth` (RFC 6749 section 3.1). Only browsers navigate here, never foreign scripts: no CORS (RFC 9700 section 2.6). */
@Controller()
@UseFilters(AuthorizeErrorFilter)
export class AuthorizeController {
  constructor(
    private readonly clients: ClientService,
    private readonly flow: AuthorizationFlow,
    private readonly keys: SigningKeys,
    private readonly catalogue: ScopeCatalogue,
    private readonly resources: Resources,
    private readonly config: Config,
  ) {}

  @Get(ROUTES.authorize)
  @Public()
  byQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.authorize(request, reply);
  }

  /** OpenID Connect Core section 3.1.2.1. */
  @Post(ROUTES.authorize)
  @Public()
  byForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.authorize(request, reply);
  }

  private async authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const parameters = parametersOf(request);
    if (!parameters) throw new DirectAuthorizeError('the request is longer than 16 KiB, or its body is not a form');
    const browser = { cookies: request.cookies, address: request.address };
    const { location, cookies } = await this.locationAfter(parameters, browser);
    for (const { name, value, options } of cookies) reply.setCookie(name, value, options);
    // Only 303: a 307 would send a posted form on to the app (RFC 9700 section 2.1).
    reply
      .code(303)
      .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
      .send();
  }

  private async targetOf(parameters: Form): Promise<{ client: Client; redirectUri: string }> {
    try {
      const client = await clientOf(parameters, (id) => this.clients.find(id));
      return { client, redirectUri: redirectUriOf(parameters, client) };
    } catch (error) {
      const evidence = error instanceof DirectAuthorizeError ? error.evidence : undefined;
      if (evidence) this.clients.noteEvidence(parameters.text('client_id'), ROUTES.authorize, evidence);
      throw error;
    }
  }

  /** @throws DirectAuthorizeError if the browser may not be redirected; TooManyAuthorizationRequests */
  private async locationAfter(parameters: Form, browser: RequestingBrowser): Promise<NextLocation> {
    const { client, redirectUri } = await this.targetOf(parameters);
    try {
      const context = {
        parameters,
        client,
        catalogue: this.catalogue,
        subjectOf: (token: string) => this.keys.subjectOf(token),
        audienceOf: (form: Form) => this.resources.audienceOf(form),
      };
      return await this.flow.after(await checkRequest(context, redirectUri), client, browser);
    } catch (error) {
      if (error instanceof TooManyAuthorizationRequests) throw error;
      const known = oauthErrorOf(error);
      this.clients.noteRefusal(client.id, ROUTES.authorize, known);
      return { location: errorUrl({ redirectUri, state: stateOf(parameters) }, this.config.issuerUrl, known), cookies: [] };
    }
  }
}
