import { Body, Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { sendPrivate } from '../http/response.js';
import { OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { LeakService } from './leak.service.js';

const MAX_SECRETS = 1_000;
/** A report counts once per this many strings. */
const SECRETS_A_CALL = 50;
const RULE = `Send a JSON list of at most ${MAX_SECRETS} strings, or of objects with a string "token"`;

/**
 * `POST /oauth2/report-leak`: turns in secrets that were found in public. Who has one may end it, and the answer is the same for all strings. A
 * list of objects is the form of GitHub's secret scanning partners.
 */
@Controller()
@UseFilters(OAuthErrorFilter)
export class LeakController {
  constructor(
    private readonly leaks: LeakService,
    private readonly limiter: RateLimiter,
  ) {}

  @Post(ROUTES.reportLeak)
  @SkipCredentialCheck()
  async report(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const secrets = secretsIn(body);
    const limit = this.limiter.consumeNow('address', request.address, Math.ceil(secrets.length / SECRETS_A_CALL));
    setRateLimitHeaders(reply, limit);
    if (limit.isBlocked)
      throw new OAuthError('temporarily_unavailable', 'Too many reports', 429, { 'retry-after': String(limit.resetSeconds) });
    await this.leaks.end(secrets);
    sendPrivate(reply, {}, 202);
  }
}

/** @throws OAuthError invalid_request */
function secretsIn(body: unknown): string[] {
  if (!Array.isArray(body) || body.length > MAX_SECRETS) throw new OAuthError('invalid_request', RULE);
  return body.map((item: unknown) => {
    const secret = typeof item === 'object' && item !== null ? (item as { readonly token?: unknown }).token : item;
    if (typeof secret !== 'string') throw new OAuthError('invalid_request', RULE.replaceAll('"', ''));
    return secret;
  });
}
