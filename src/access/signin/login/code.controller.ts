import { Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageError, PageForm, type Form } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { SessionOpener, SignInTickets } from '../../session/index.js';
import { paths, withReturnTo, type ReturnTo } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { codePage, type CodeRefusal } from './code.view.js';
import { SignInFlow } from './sign-in-flow.js';

/** `/login/code`: the second step of a sign-in. The ticket of the first is in a cookie. */
@PageController('login/code')
export class CodeController {
  constructor(
    private readonly preSession: PreSession,
    private readonly cookies: SignInCookies,
    private readonly tickets: SignInTickets,
    private readonly opener: SessionOpener,
    private readonly flow: SignInFlow,
  ) {}

  @Get()
  @Public()
  async show(@Query(ReturnToPipe) returnTo: ReturnTo, @Res() reply: FastifyReply): Promise<void> {
    if (!(await this.tickets.read(this.cookies.ticketOf(reply.request)))) throw expired(returnTo);
    await this.render(reply, returnTo, null);
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async send(@Query(ReturnToPipe) returnTo: ReturnTo, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const ticket = this.cookies.ticketOf(request);
    const [caller, response] = [this.flow.callerOf(request), form.text('response')];
    const binding = this.preSession.bindingOf(request) ?? '';
    const outcome =
      response === ''
        ? await this.opener.withCode(ticket, caller, form.text('code'))
        : await this.opener.withTicketAndPasskey(ticket, binding, caller, response);
    if (outcome === null || outcome.kind === 'factor_required') throw expired(returnTo);
    if (outcome.kind === 'signed_in') return this.flow.finish(reply, returnTo, outcome);
    if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
    if (outcome.kind === 'slowed_down') reply.header('retry-after', outcome.retryAfterSeconds);
    await this.render(reply, returnTo, { kind: outcome.kind === 'slowed_down' ? 'slow' : response === '' ? 'wrong' : 'passkey' });
  }

  private async render(reply: FastifyReply, returnTo: ReturnTo, refusal: CodeRefusal | null): Promise<void> {
    const app = (await this.flow.waitingApp(returnTo, reply.request))?.head ?? null;
    const links = { action: withReturnTo(paths.code, returnTo), startAgainHref: withReturnTo(paths.login, returnTo) };
    const status = refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422;
    this.flow.sendWithPasskey(reply, (form) => codePage({ ...form, ...links, app, refusal }), status);
  }
}

const expired = (returnTo: ReturnTo): PageError =>
  new PageError({ kind: 'redirect', to: withReturnTo(`${paths.login}?code-expired=1`, returnTo) });
