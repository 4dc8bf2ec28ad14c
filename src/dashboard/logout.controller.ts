import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { SessionService } from '../user/index.js';
import { PageAuthenticator } from './page-authenticator.js';
import { PageFilter } from './page.filter.js';
import { seeOther, PageRenderer } from './page-renderer.js';
import { logoutPage, paths } from './view/index.js';

/** `/logout`: a GET asks for confirmation, a POST ends the session on the server. */
@Controller('logout')
@UseFilters(PageFilter)
export class LogoutController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly sessions: SessionService,
  ) {}

  @Get()
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.renderer.send(reply, await this.authenticator.signedIn(request), (frame) => logoutPage({ frame }));
  }

  @Post()
  @Public()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.authenticator.form(request);
    await this.sessions.end(visitor.session.id);
    this.authenticator.letOut(reply);
    seeOther(reply, `${paths.login}?signed-out=1`);
  }
}
