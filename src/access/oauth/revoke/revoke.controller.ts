import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { ClientAuthenticator } from '../client/client-authenticator.js';
import { sendPrivate } from '../http/response.js';
import { clientForm } from '../http/parameters.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { RevokeService } from './revoke.service.js';

/** An ID token or another JWT, which cannot be revoked (RFC 7009 section 2.2.1). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** `POST /oauth2/revoke` (RFC 7009). The response is the same whether or not there was a token to revoke. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class RevokeController {
  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly service: RevokeService,
  ) {}

  @Post(ROUTES.revoke)
  @SkipCredentialCheck()
  @AnyOrigin()
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = clientForm(request);
    const client = await this.authenticator.authenticate(request, form, reply);
    await this.authenticator.noting(client, request, async () => {
      const token = form.text('token');
      if (token === '') throw new OAuthError('invalid_request', 'token is missing');
      if (JWT.test(token)) throw new OAuthError('unsupported_token_type', 'Only access tokens and refresh tokens can be revoked');
      await this.service.revoke(client, token);
    });
    // RFC 7009 section 2.2 does not define the body: some clients parse every response as JSON.
    sendPrivate(reply, {});
  }
}
