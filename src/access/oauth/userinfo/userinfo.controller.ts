import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CredentialUsage, SkipCredentialCheck, userIdOf, type Credential } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { parseForm } from '../../../edge/page/index.js';
import { UserService } from '../../user/index.js';
import { sendPrivate } from '../http/response.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { formBodyOf, provedBy, queryOf } from '../http/parameters.js';
import { Dpop } from '../dpop/dpop.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { claimsOf } from '../user-claims.js';
import { Oauth2TokenStrategy } from '../token/oauth2-token.strategy.js';

/**
 * `GET|POST /userinfo` (OpenID Connect Core section 5.3). A token without `openid` suffices: apps that sign people in by plain OAuth get
 * the person's id here too, and the claims of `profile` and `email`.
 */
@Controller()
@UseFilters(OAuthErrorFilter)
export class UserinfoController {
  constructor(
    private readonly tokens: Oauth2TokenStrategy,
    private readonly usage: CredentialUsage,
    private readonly users: UserService,
    private readonly config: Config,
    private readonly dpop: Dpop,
  ) {}

  @Post(ROUTES.userinfo)
  @SkipCredentialCheck()
  @AnyOrigin()
  byForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.userinfo(request, reply);
  }

  @Get(ROUTES.userinfo)
  @SkipCredentialCheck()
  @AnyOrigin()
  async userinfo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { token, scheme } = tokenIn(request);
    if (token === undefined) throw this.refusal('An access token is required', '');
    const principal = await this.tokens.find(token);
    if (!principal) throw this.refusal('The access token is unknown, expired or revoked', ', error="invalid_token"');
    this.dpop.checkToken(provedBy(request), { token, scheme, jkt: principal.jkt });
    this.usage.used(principal, request.address);
    const user = await this.users.findById(userIdOf(principal));
    sendPrivate(reply, { sub: principal.userId, ...(user && claimsOf(user, principal.scopes)) });
  }

  /** RFC 6750 section 3.1: without a token, the challenge has no `error` attribute. */
  private refusal(description: string, attribute: string): OAuthError {
    return new OAuthError('invalid_token', description, 401, { 'www-authenticate': `Bearer realm="${this.config.issuerUrl}"${attribute}` });
  }
}

/** From the header or from a posted form (RFC 6750 sections 2.1 and 2.2), never from the URL. @throws OAuthError invalid_request */
function tokenIn(request: FastifyRequest): { readonly token: string | undefined; readonly scheme: Credential['scheme'] } {
  if (parseForm(queryOf(request)).values.has('access_token')) throw invalidRequest('access_token must not be in the URL');
  const header = request.headers.authorization ?? '';
  const posted = parseForm(formBodyOf(request) ?? '').list('access_token');
  if (posted.length + (header === '' ? 0 : 1) > 1) throw invalidRequest('Send one access token, by one method');
  const [, scheme = 'bearer', sent = ''] = /^(Bearer|DPoP) +(\S+)$/i.exec(header) ?? [];
  return { token: header === '' ? posted[0] : sent, scheme: scheme.toLowerCase() === 'dpop' ? 'dpop' : 'bearer' };
}
