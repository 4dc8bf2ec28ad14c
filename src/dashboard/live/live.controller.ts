import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator, CredentialCache, Public } from '../../edge/auth/index.js';
import { PageController, PageError } from '../../edge/page/index.js';
import { AccountService } from '../../money/wallet/index.js';
import { LiveFeed } from './live-feed.js';

@PageController('dashboard/events')
export class LiveController {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly feed: LiveFeed,
    private readonly accounts: AccountService,
    private readonly revocations: CredentialCache,
  ) {}

  /**
   * The request carries the page's cookie, so only a page of Sluice may listen. Public for the guard: the session is looked up here, between
   * two looks at the revocations.
   */
  @Get()
  @Public()
  async listen(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new PageError({ kind: 'error', error: 'form' });
    for (;;) {
      const { epoch } = this.revocations;
      const visitor = await this.authenticator.findVisitor(request);
      if (!visitor) throw new PageError({ kind: 'error', error: 'missing' });
      const { id: accountId } = await this.accounts.getOfUser(visitor.user.id);
      // A credential was revoked during the look-up; it may be this one, and no listener is registered yet: look again.
      if (epoch === this.revocations.epoch) return this.feed.open(reply, visitor, accountId);
    }
  }
}
