import { Body, Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { ClientAuthenticator } from '../client/client-authenticator.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { clientForm } from '../http/parameters.js';
import { sendPrivate } from '../http/response.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { RevokeService } from './revoke.service.js';

/** An ID token or another JWT, which cannot be revoked (RFC 7009 section 2.2.1). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const MAX_SECRETS = 1_000;
/** A report counts once per this many strings. */
const SECRETS_A_CALL = 50;
const RULE = `Send a JSON list of at most ${MAX_SECRETS} strings, or of objects with a member token, a string`;

@Controller()
@UseFilters(OAuthErrorFilter)
export class RevokeController {
  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly service: RevokeService,
    private readonly limiter: RateLimiter,
  ) {}

  /** `POST /oauth2/revoke` (RFC 7009). The response is the same whether or not there was a token to revoke. */
  @Post(ROUTES.revoke)
  @SkipCredentialCheck()
  @AnyOrigin()
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = clientForm(request);
    await this.authenticator.serve(request, form, reply, async (client) => {
      const token = form.text('token');
      if (token === '') throw invalidRequest('token is missing');
      if (JWT.test(token)) throw new OAuthError('unsupported_token_type', 'Only access tokens and refresh tokens can be revoked');
      await this.service.revoke(client, token);
    });
    // RFC 7009 section 2.2 does not define the body: some clients parse every response as JSON.
    sendPrivate(reply, {});
  }

  /**
   * `POST /oauth2/report-leak`: turns in secrets that were found in public. Who has one may end it, and the answer is the same for all
   * strings. A list of objects is the form of GitHub's secret scanning partners.
   */
  @Post(ROUTES.reportLeak)
  @SkipCredentialCheck()
  async reportLeak(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const secrets = secretsIn(body);
    const limit = this.limiter.consumeNow('address', request.address, Math.ceil(secrets.length / SECRETS_A_CALL));
    setRateLimitHeaders(reply, limit);
    if (limit.isBlocked) throw new OAuthError('temporarily_unavailable', 'Too many reports', 429);
    await this.service.endLeaked(secrets);
    sendPrivate(reply, {}, 202);
  }
}

/** @throws OAuthError invalid_request */
function secretsIn(body: unknown): string[] {
  if (!Array.isArray(body) || body.length > MAX_SECRETS) throw invalidRequest(RULE);
  return body.map((item: unknown) => {
    const secret = typeof item === 'object' && item !== null ? (item as { readonly token?: unknown }).token : item;
    if (typeof secret !== 'string') throw invalidRequest(RULE);
    return secret;
  });
}
