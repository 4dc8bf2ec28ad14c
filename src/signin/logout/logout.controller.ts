import { Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { PageController, PageRenderer, seeOther } from '../../page/index.js';
import { SessionService } from '../../session/index.js';
import { paths } from '../paths.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { logoutPage } from './logout.view.js';

/** `/logout`: a GET asks for confirmation, a POST ends the session on the server. */
@PageController('logout')
@PageSession()
export class LogoutController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly sessions: SessionService,
    private readonly cookies: SignInCookies,
  ) {}

  @Get()
  async show(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.renderer.send(reply, visitor, (frame) => logoutPage({ frame }));
  }

  @Post()
  async signOut(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.sessions.end(visitor.session.id);
    this.cookies.clear(reply);
    seeOther(reply, `${paths.login}?signed-out=1`);
  }
}
