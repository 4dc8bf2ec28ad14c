import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, type Visitor } from '../../../edge/auth/index.js';
import { Csrf, Pages, type CsrfBinding, type Form } from '../../../edge/page/index.js';
import { PageSessions } from '../../session/index.js';
import { AuthorizeErrorFilter } from '../authorize/authorize-error.filter.js';
import { parametersOf } from '../http/parameters.js';
import { addToUrl, sendBrowser } from '../request/authorization-response.js';
import { ROUTES } from '../routes.js';
import { logoutRefused, LogoutRequests, type LogoutRequest } from './logout-requests.js';
import { askLogoutPage } from './logout.view.js';

const SIGNED_OUT = '/login?signed-out=1';

const bindingOf = ({ session }: Visitor): CsrfBinding => `session:${session.id}`;

/** `GET|POST /oauth2/sessions/logout` (OpenID Connect RP-Initiated Logout 1.0). Only browsers navigate here, never foreign scripts: no CORS. */
@Controller()
@UseFilters(AuthorizeErrorFilter)
export class EndSessionController {
  constructor(
    private readonly requests: LogoutRequests,
    private readonly sessions: PageSessions,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  /** Signs out without a question if the app knows the present session: a link from elsewhere must not do that. */
  @Get(ROUTES.logout)
  @Public()
  async byQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [asked, visitor] = await this.read(request);
    if (visitor && visitor.session.id !== asked.sid) return this.ask(reply, asked, visitor);
    await this.leave(reply, asked, visitor);
  }

  /** An app’s form comes without the session’s cookie (`SameSite=Lax`), which the next request has. That of the page has the proof of it. */
  @Post(ROUTES.logout)
  @Public()
  async byForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [asked, visitor, form] = await this.read(request);
    if (visitor && this.csrf.accepts(bindingOf(visitor), request, form.text('csrf'))) return this.leave(reply, asked, visitor);
    sendBrowser(reply, addToUrl(ROUTES.logout, asked.sent));
  }

  private async read(request: FastifyRequest): Promise<[LogoutRequest, Visitor | null, Form]> {
    const parameters = parametersOf(request);
    if (!parameters) throw logoutRefused('it is longer than 16 KiB, or its body is not a form');
    return [await this.requests.judge(parameters), await this.sessions.find(request.cookies), parameters];
  }

  private ask(reply: FastifyReply, asked: LogoutRequest, visitor: Visitor): void {
    const { redirectUri } = asked;
    const page = askLogoutPage({
      ...asked,
      frame: this.pages.frame(),
      email: visitor.user.email,
      csrf: this.csrf.token(bindingOf(visitor)),
    });
    this.pages.send(reply, redirectUri === null ? { kind: 'gate' } : { kind: 'consent', redirectUri }, page);
  }

  private async leave(reply: FastifyReply, { redirectUri, state }: LogoutRequest, visitor: Visitor | null): Promise<void> {
    const { name, value, options } = await this.sessions.end(visitor);
    reply.setCookie(name, value, options);
    if (redirectUri === null) return sendBrowser(reply, SIGNED_OUT);
    sendBrowser(reply, state === null ? redirectUri : addToUrl(redirectUri, { state }));
  }
}
