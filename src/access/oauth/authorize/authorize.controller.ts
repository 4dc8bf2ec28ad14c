import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { parametersOf } from '../http/parameters.js';
import { ROUTES } from '../routes.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { sendBrowser, sendResponse, type AuthorizationResponse } from '../request/authorization-response.js';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { Pages, type Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { oauthErrorOf } from '../http/oauth-error.filter.js';
import { redirectUriOf, responseModeOf, stateOf } from './checks.js';
import { RequestChecks } from './request-checks.js';
import { AuthorizationFlow, TooManyAuthorizationRequests, type RequestingBrowser, type NextPage } from './authorization-flow.js';

interface Target {
  readonly client: Client;
  readonly parameters: Form;
  readonly isPushed: boolean;
  readonly redirectUri: string;
}

/** `GET|POST /oauth2/auth` (RFC 6749 section 3.1). Only browsers navigate here, never foreign scripts: no CORS (RFC 9700 section 2.6). */
@Controller()
@UseFilters(AuthorizeErrorFilter)
export class AuthorizeController {
  private readonly results;

  constructor(
    private readonly clients: ClientService,
    private readonly flow: AuthorizationFlow,
    private readonly checks: RequestChecks,
    private readonly pages: Pages,
    metrics: Metrics,
  ) {
    const help = 'Authorization requests of known apps, by result: page, ok, or the error';
    this.results = metrics.counter('sluice_oauth_authorize_total', help, ['result']);
  }

  /** OpenID Connect Core section 3.1.2.1. */
  @Post(ROUTES.authorize)
  @Public()
  byForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.authorize(request, reply);
  }

  @Get(ROUTES.authorize)
  @Public()
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const parameters = parametersOf(request);
    if (!parameters) throw new DirectAuthorizeError('the request is longer than 16 KiB, or its body is not a form');
    const browser = { cookies: request.cookies, address: request.address };
    const next = await this.after(parameters, browser);
    this.results.inc({ result: 'mode' in next ? (next.parameters['error'] ?? 'ok') : 'page' });
    if ('mode' in next) return sendResponse(reply, this.pages, next);
    for (const { name, value, options } of next.cookies) reply.setCookie(name, value, options);
    sendBrowser(reply, next.location);
  }

  /** @throws DirectAuthorizeError if the browser may not be redirected */
  private async targetOf(sent: Form, browser: RequestingBrowser): Promise<Target> {
    try {
      const client = await this.checks.clientOf(sent, browser);
      const parameters = await this.checks.parametersOf(sent, client);
      return { client, parameters, isPushed: parameters !== sent, redirectUri: redirectUriOf(parameters, client) };
    } catch (error) {
      const evidence = error instanceof DirectAuthorizeError ? error.details.evidence : undefined;
      if (evidence) this.clients.noteEvidence(sent.text('client_id'), ROUTES.authorize, evidence);
      throw error;
    }
  }

  /** @throws DirectAuthorizeError as `targetOf`; TooManyAuthorizationRequests */
  private async after(sent: Form, browser: RequestingBrowser): Promise<NextPage | AuthorizationResponse> {
    const { client, redirectUri, parameters, isPushed } = await this.targetOf(sent, browser);
    try {
      return await this.flow.after(await this.checks.judge(parameters, client, redirectUri, isPushed), client, browser);
    } catch (error) {
      if (error instanceof TooManyAuthorizationRequests) throw error;
      const known = oauthErrorOf(error);
      this.clients.noteRefusal(client.id, ROUTES.authorize, known);
      const target = { redirectUri, state: stateOf(parameters), responseMode: responseModeOf(parameters, redirectUri) };
      return this.flow.refusal(target, known);
    }
  }
}
