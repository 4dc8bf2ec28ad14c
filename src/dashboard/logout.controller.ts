import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { Pages } from '../page/index.js';
import { SessionService } from '../user/index.js';
import { Gate } from './gate.js';
import { PageFilter } from './page.filter.js';
import { logoutPage, paths } from './view/index.js';

/** `/logout`: a GET asks, a POST ends the session on the server. */
@Controller('logout')
@UseFilters(PageFilter)
export class LogoutController {
  constructor(
    private readonly gate: Gate,
    private readonly pages: Pages,
    private readonly sessions: SessionService,
  ) {}

  @Get()
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session, user } = await this.gate.signedIn(request);
    const frame = this.pages.shell({ id: session.id, email: user.email });
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, logoutPage({ frame }));
  }

  @Post()
  @Public()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.gate.form(request);
    await this.sessions.end(visitor.session.id);
    this.gate.letOut(reply);
    void reply.code(303).header('location', `${paths.login}?signed-out=1`).send();
  }
}
