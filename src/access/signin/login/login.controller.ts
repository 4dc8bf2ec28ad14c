import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, Public, type Visitor } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageError, PageForm, Pages, seeOther, type Form } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import type { SignInOutcome } from '../../session/index.js';
import { RegistrationService } from '../../user/index.js';
import { HOME, paths } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { withReturnTo, type ReturnTo } from '../return-to.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { LoginService } from './login.service.js';
import { ARRIVAL_REASONS, loginPage, type LoginModel } from './login.view.js';

type LoginPageState = Pick<LoginModel, 'app' | 'email' | 'refusal' | 'arrival'> & { readonly returnTo: ReturnTo };

@PageController('login')
export class LoginController {
  constructor(
    private readonly preSession: PreSession,
    private readonly cookies: SignInCookies,
    private readonly service: LoginService,
    private readonly registration: RegistrationService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @PageSession({ optional: true })
  async show(
    @Query(ReturnToPipe) returnTo: ReturnTo,
    @CurrentVisitor() visitor: Visitor | null,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = request.query as Readonly<Record<string, unknown>>;
    if (visitor && query['switch'] === undefined) {
      const next = await this.service.next(returnTo, request, visitor.token);
      if (next !== null) return seeOther(reply, next);
    }
    const waiting = await this.service.waitingApp(returnTo, request);
    this.render(request, reply, {
      returnTo,
      app: waiting?.head ?? null,
      email: this.cookies.takeEmail(request, reply) ?? waiting?.loginHint ?? '',
      refusal: null,
      arrival: ARRIVAL_REASONS.find((reason) => query[reason] !== undefined) ?? null,
    });
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async signIn(
    @Query(ReturnToPipe) returnTo: ReturnTo,
    @PageForm() form: Form,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const email = form.text('email');
    const outcome = await this.service.signIn({
      email,
      password: form.text('password'),
      address: request.address,
      userAgent: request.headers['user-agent'] ?? '',
      device: this.cookies.deviceOf(request),
      isGone: () => request.raw.socket.destroyed,
    });
    if (outcome.kind !== 'signed_in') {
      const app = (await this.service.waitingApp(returnTo, request))?.head ?? null;
      if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
      return this.render(request, reply, { returnTo, app, email, refusal: refusalOf(outcome), arrival: null });
    }
    this.cookies.set(reply, outcome);
    const next = await this.service.next(returnTo, request, outcome.token);
    if (next === null) throw new PageError({ kind: 'redirect', to: HOME });
    seeOther(reply, next);
  }

  private render(request: FastifyRequest, reply: FastifyReply, { returnTo, ...shown }: LoginPageState): void {
    const page = loginPage({
      ...shown,
      frame: this.pages.frame(),
      csrf: this.preSession.formToken(request, reply),
      action: withReturnTo(paths.login, returnTo),
      registerHref: this.registration.mode === 'closed' ? null : withReturnTo(paths.register, returnTo),
    });
    const { refusal } = shown;
    if (refusal?.kind === 'slow') reply.header('retry-after', refusal.retryAfterSeconds);
    this.pages.send(reply, { kind: 'gate' }, page, refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422);
  }
}

const refusalOf = (outcome: Exclude<SignInOutcome, { kind: 'signed_in' }>): LoginModel['refusal'] =>
  outcome.kind === 'refused' ? { kind: 'wrong' } : { kind: 'slow', retryAfterSeconds: outcome.retryAfterSeconds };
