import { Controller, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import type { Form } from '../../../edge/page/index.js';
import { ClientAuthenticator } from '../client/client-authenticator.js';
import { sendPrivate } from '../http/response.js';
import { clientForm, provedBy } from '../http/parameters.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { GRANT_TYPES, hasGrantType } from '../application/application.js';
import { Dpop } from '../dpop/dpop.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { GRANT_TYPE_HANDLERS, type GrantTypeHandler } from './grant-type-handler.js';

/** `POST /oauth2/token` (RFC 6749 section 3.2). */
@Controller()
@UseFilters(OAuthErrorFilter)
export class TokenController {
  private readonly durations;

  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly dpop: Dpop,
    @Inject(GRANT_TYPE_HANDLERS) private readonly handlers: readonly GrantTypeHandler[],
    metrics: Metrics,
  ) {
    const help = 'Token requests, by grant type and result: ok, or the error';
    this.durations = metrics.durations('sluice_oauth_token_seconds', help, ['grant', 'result']);
  }

  @Post(ROUTES.token)
  @SkipCredentialCheck()
  @AnyOrigin()
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const end = this.durations.startTimer();
    const form = clientForm(request);
    const grant = GRANT_TYPES.find((type) => type === form.text('grant_type')) ?? 'unknown';
    try {
      await this.issue(form, request, reply);
      end({ grant, result: 'ok' });
    } catch (error) {
      end({ grant, result: error instanceof OAuthError ? error.code : 'server_error' });
      throw error;
    }
  }

  private async issue(form: Form, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.authenticator.serve(request, form, reply, async (client) => {
      const type = form.text('grant_type');
      if (type === '') throw invalidRequest('grant_type is missing');
      const handler = this.handlers.find((each) => each.type === type);
      if (!handler) throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}`);
      if (!hasGrantType(client, handler.type))
        throw new OAuthError('unauthorized_client', `The grant type ${handler.type} is not allowed for this client`);
      // Before a code or a refresh token is used up.
      const jkt = this.dpop.keyOf(provedBy(request), client.requireDpop);
      sendPrivate(reply, await handler.issue(client, form, jkt));
    });
  }
}
