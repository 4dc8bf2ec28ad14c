import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CredentialCache, Public } from '../auth/index.js';
import { AccountService } from '../wallet/index.js';
import { PageAuthenticator } from './page-authenticator.js';
import { LiveFeed } from './live-feed.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';

/** `/dashboard/events`: the latest changes of the wallet, in words, for open pages. */
@Controller('dashboard/events')
@UseFilters(PageFilter)
export class LiveController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly feed: LiveFeed,
    private readonly accounts: AccountService,
    private readonly revocations: CredentialCache,
  ) {}

  /** The request carries the page's cookie, so only a page of Sluice may listen. */
  @Get()
  @Public()
  async listen(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new PageRefusal({ kind: 'error', error: 'form' });
    for (;;) {
      const { epoch } = this.revocations;
      const visitor = await this.authenticator.visitor(request);
      if (!visitor) throw new PageRefusal({ kind: 'error', error: 'missing' });
      const { id: accountId } = await this.accounts.getOfUser(visitor.user.id);
      // A credential was revoked during the look-up; it may be this one, and no listener is registered yet: look again.
      if (epoch === this.revocations.epoch) return this.feed.open(reply, visitor, accountId);
    }
  }
}
