import { Get, NotFoundException, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, Public, type Visitor } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageForm, seeOther, type Form } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { type SignInOutcome, SignInService } from '../../session/index.js';
import { paths, withReturnTo, type ReturnTo } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { SignInWays } from '../sign-in-ways.js';
import { ARRIVAL_REASONS, loginPage, type LoginModel } from './login.view.js';
import { SignInFlow } from './sign-in-flow.js';

type LoginPageState = Pick<LoginModel, 'app' | 'email' | 'refusal' | 'arrival'> & {
  readonly returnTo: ReturnTo;
  readonly company?: LoginModel['company'];
};

@PageController('login')
export class LoginController {
  constructor(
    private readonly preSession: PreSession,
    private readonly cookies: SignInCookies,
    private readonly signIns: SignInService,
    private readonly flow: SignInFlow,
    private readonly ways: SignInWays,
  ) {}

  @Get()
  @PageSession({ optional: true })
  async show(
    @Query(ReturnToPipe) returnTo: ReturnTo,
    @Query() query: Readonly<Record<string, unknown>>,
    @CurrentVisitor() visitor: Visitor | null,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { request } = reply;
    // A person who has just registered may be signed in as another.
    if (visitor && query['switch'] === undefined && query['registered'] === undefined) {
      const next = await this.flow.next(returnTo, request, visitor.token);
      if (next !== null) return seeOther(reply, next);
    }
    const isSwitch = query['switch'] !== undefined;
    const arrival = ARRIVAL_REASONS.find((reason) => query[reason] !== undefined) ?? null;
    const company = this.ways.company(returnTo, isSwitch ? 'fresh' : undefined);
    if (company && !this.ways.passwordsWork && arrival === null && !isSwitch) return seeOther(reply, company.href);
    const waiting = await this.flow.waitingApp(returnTo, request);
    this.render(reply, {
      returnTo,
      company,
      app: waiting?.head ?? null,
      email: this.cookies.takeEmail(reply) ?? waiting?.loginHint ?? '',
      refusal: null,
      arrival,
    });
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async signIn(@Query(ReturnToPipe) returnTo: ReturnTo, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const { request } = reply;
    if (!this.ways.passwordsWork) throw new NotFoundException();
    if (form.text('response') !== '') return this.byPasskey(returnTo, form, reply);
    const email = form.text('email');
    const outcome = await this.signIns.signIn({
      ...this.flow.callerOf(request),
      email,
      password: form.text('password'),
      isGone: () => request.raw.socket.destroyed,
    });
    if (outcome.kind === 'signed_in') return this.flow.finish(reply, returnTo, outcome);
    if (outcome.kind === 'factor_required') return this.flow.askForFactor(reply, returnTo, outcome.ticket);
    const app = (await this.flow.waitingApp(returnTo, request))?.head ?? null;
    if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
    this.render(reply, { returnTo, app, email, refusal: refusalOf(outcome), arrival: null });
  }

  private async byPasskey(returnTo: ReturnTo, form: Form, reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const outcome = await this.signIns.byPasskey(
      this.preSession.bindingOf(request) ?? '',
      this.flow.callerOf(request),
      form.text('response'),
    );
    if (outcome.kind === 'signed_in') return this.flow.finish(reply, returnTo, outcome);
    const app = (await this.flow.waitingApp(returnTo, request))?.head ?? null;
    this.render(reply, { returnTo, app, email: '', refusal: { kind: 'passkey' }, arrival: null });
  }

  private render(reply: FastifyReply, { returnTo, ...shown }: LoginPageState): void {
    const { refusal } = shown;
    if (refusal?.kind === 'slow') reply.header('retry-after', refusal.retryAfterSeconds);
    const links = {
      company: shown.company ?? this.ways.company(returnTo),
      action: withReturnTo(paths.login, returnTo),
      forgotHref: this.ways.forgotHref,
      registerHref: this.ways.registerHref(returnTo),
      passwordsWork: this.ways.passwordsWork,
    };
    const status = refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422;
    this.flow.sendWithPasskey(reply, (form) => loginPage({ ...shown, ...links, ...form }), status);
  }
}

const refusalOf = (outcome: Extract<SignInOutcome, { kind: 'refused' | 'slowed_down' }>): LoginModel['refusal'] =>
  outcome.kind === 'refused' ? { kind: 'wrong' } : { kind: 'slow', retryAfterSeconds: outcome.retryAfterSeconds };
