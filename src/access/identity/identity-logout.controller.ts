import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../edge/auth/index.js';
import { RETRY_AFTER, sendProblem } from '../../edge/http/index.js';
import { parseForm } from '../../edge/page/index.js';
import { Log, RefusalLog } from '../../platform/logging/index.js';
import { IdentityLogouts } from './identity-logout.js';

/** `POST /login/company/logout`, for the provider: the token's signature says who calls (OpenID Connect Back-Channel Logout 1.0 section 2.5). */
@Controller()
export class IdentityLogoutController {
  private readonly log = new Log('Identity');
  private readonly refusals = new RefusalLog();

  constructor(private readonly logouts: IdentityLogouts) {}

  @Post('/login/company/logout')
  @SkipCredentialCheck()
  async receive(@Req() { body }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store');
    const token = typeof body === 'string' ? parseForm(body).text('logout_token') : '';
    const outcome = await this.logouts.receive(token);
    if (outcome === 'accepted') return void reply.code(200).send();
    if (outcome === 'unavailable') return sendProblem(reply, 'credentialsUnknowable', { retryAfterSeconds: RETRY_AFTER.outage });
    this.refusals.note('', (line, others) =>
      this.log.warn(
        'identity_logout_rejected',
        { ...line },
        `A back-channel logout was rejected: its token is not valid, or was received before${others}`,
      ),
    );
    void reply.code(400).send({ error: 'invalid_request' });
  }
}
