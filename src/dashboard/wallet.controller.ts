import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { PageAuthenticator } from './page-authenticator.js';
import { PageFilter } from './page.filter.js';
import { PageRenderer } from './page-renderer.js';
import { WalletPages } from './wallet-pages.js';

/** `/dashboard`: the wallet. */
@Controller('dashboard')
@UseFilters(PageFilter)
export class WalletController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly view: WalletPages,
  ) {}

  @Get()
  @Public()
  async wallet(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    await this.renderer.send(reply, visitor, (frame) => this.view.wallet(frame, visitor.user), { live: true });
  }
}
