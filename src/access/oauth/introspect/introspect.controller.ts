import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { ClientAuthenticator } from '../client/client-authenticator.js';
import { sendPrivate } from '../http/response.js';
import { clientForm } from '../http/parameters.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { IntrospectService } from './introspect.service.js';

/**
 * `POST /oauth2/introspect` (RFC 7662), for other services of the operator. Closed to scripts of other origins: only clients that keep a
 * secret may ask.
 */
@Controller()
@UseFilters(OAuthErrorFilter)
export class IntrospectController {
  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly service: IntrospectService,
  ) {}

  @Post(ROUTES.introspect)
  @SkipCredentialCheck()
  async introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = clientForm(request);
    await this.authenticator.serve(request, form, reply, async (client) => {
      if (!client.confidential) throw new OAuthError('invalid_client', 'Only a client with credentials of its own may introspect', 401);
      const token = form.text('token');
      if (token === '') throw invalidRequest('token is missing');
      sendPrivate(reply, await this.service.introspect(client, token));
    });
  }
}
