import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { Form } from '../../../edge/page/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { RateLimiter, setRateLimitHeaders, type RateLimitResult } from '../../../edge/rate-limit/index.js';
import { ClientAuthenticator } from '../client/client-authenticator.js';
import { isDocumentUrl, type Client } from '../client/client.js';
import { Dpop } from '../dpop/dpop.js';
import { invalidProof } from '../dpop/proof.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { clientForm, provedBy } from '../http/parameters.js';
import { sendPrivate } from '../http/response.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { PushedRequests } from '../request/pushed-requests.js';
import { ROUTES } from '../routes.js';
import { redirectUriOf } from './checks.js';
import { TooManyAuthorizationRequests } from './authorization-flow.js';
import { RequestChecks } from './request-checks.js';

/** `POST /oauth2/par` (RFC 9126): an app sends its authorization request itself, and the browser brings only a reference to it. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class PushedRequestController {
  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly checks: RequestChecks,
    private readonly pushed: PushedRequests,
    private readonly limiter: RateLimiter,
    private readonly dpop: Dpop,
  ) {}

  @Post(ROUTES.pushedRequest)
  @SkipCredentialCheck()
  @AnyOrigin()
  async push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = clientForm(request);
    await this.readDocument(form, request, reply);
    await this.authenticator.serve(request, form, reply, async (client) => {
      this.count(client, request, reply);
      const bound = this.boundForm(form, request);
      await this.judge(bound, client);
      const requestUri = await this.pushed.add(client.id, bound);
      sendPrivate(reply, { request_uri: requestUri, expires_in: this.pushed.lifeSeconds }, 201);
    });
  }

  /** Of an app that was not registered: its client is found after that. */
  private async readDocument(form: Form, { address }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const id = form.text('client_id');
    if (!isDocumentUrl(id)) return;
    try {
      await this.checks.clientOf(form, { address, cookies: {} });
    } catch (error) {
      if (error instanceof TooManyAuthorizationRequests) throw tooMany(error.result, reply);
      if (!(error instanceof DirectAuthorizeError)) throw error;
      this.authenticator.report(id, error.reason);
      throw new OAuthError('invalid_client', 'Client authentication failed', 401);
    }
  }

  /** RFC 9449 section 10.1: a proof says what `dpop_jkt` would say. */
  private boundForm(form: Form, request: FastifyRequest): Form {
    const jkt = this.dpop.keyOf(provedBy(request), false);
    if (jkt === null) return form;
    if (form.values.has('dpop_jkt') && form.text('dpop_jkt') !== jkt) throw invalidProof('dpop_jkt is another key than that of the proof');
    return new Form(new Map([...form.values, ['dpop_jkt', [jkt]]]));
  }

  private async judge(form: Form, client: Client): Promise<void> {
    if (form.values.has('request_uri')) throw invalidRequest('request_uri must not be pushed');
    try {
      await this.checks.judge(form, client, redirectUriOf(form, client), true);
    } catch (error) {
      if (!(error instanceof DirectAuthorizeError)) throw error;
      const refusal = invalidRequest('redirect_uri is missing, or not registered for this client');
      throw error.details.evidence ? refusal.because(error.details.evidence) : refusal;
    }
  }

  /** Each is a row. A server pushes for all of its people; as a public client, any caller can. */
  private count(client: Client, { address }: FastifyRequest, reply: FastifyReply): void {
    const result = this.limiter.consumeNow('pushedRequest', client.confidential ? `client ${client.id}` : address);
    if (result.isBlocked) throw tooMany(result, reply);
  }
}

function tooMany(result: RateLimitResult, reply: FastifyReply): OAuthError {
  setRateLimitHeaders(reply, result);
  return new OAuthError('temporarily_unavailable', 'Too many pushed requests. Please try again later.', 429);
}
