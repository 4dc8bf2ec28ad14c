import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { SessionService } from '../user/index.js';
import { Gate } from './gate.js';
import { PageFilter } from './page.filter.js';
import { seeOther, Shell } from './shell.js';
import { logoutPage, paths } from './view/index.js';

/** `/logout`: a GET asks for confirmation, a POST ends the session on the server. */
@Controller('logout')
@UseFilters(PageFilter)
export class LogoutController {
  constructor(
    private readonly gate: Gate,
    private readonly shell: Shell,
    private readonly sessions: SessionService,
  ) {}

  @Get()
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.shell.send(reply, await this.gate.signedIn(request), (frame) => logoutPage({ frame }));
  }

  @Post()
  @Public()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.gate.form(request);
    await this.sessions.end(visitor.session.id);
    this.gate.letOut(reply);
    seeOther(reply, `${paths.login}?signed-out=1`);
  }
}
