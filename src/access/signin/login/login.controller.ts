import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, Public, type Visitor } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageError, PageForm, seeOther, type Form } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { type SignInOutcome, SignInService } from '../../session/index.js';
import { RegistrationService } from '../../user/index.js';
import { HOME, paths, withReturnTo, type ReturnTo } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { ARRIVAL_REASONS, loginPage, type LoginModel } from './login.view.js';
import { PendingRequest, type WaitingApp } from '../pending-request.js';

type LoginPageState = Pick<LoginModel, 'app' | 'email' | 'refusal' | 'arrival'> & { readonly returnTo: ReturnTo };

@PageController('login')
export class LoginController {
  constructor(
    private readonly preSession: PreSession,
    private readonly cookies: SignInCookies,
    private readonly signIns: SignInService,
    private readonly pending: PendingRequest,
    private readonly registration: RegistrationService,
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
    // A person who has just registered may be signed in as another.
    if (visitor && query['switch'] === undefined && query['registered'] === undefined) {
      const next = await this.next(returnTo, request, visitor.token);
      if (next !== null) return seeOther(reply, next);
    }
    const waiting = await this.waitingApp(returnTo, request);
    this.render(reply, {
      returnTo,
      app: waiting?.head ?? null,
      email: this.cookies.takeEmail(reply) ?? waiting?.loginHint ?? '',
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
    const outcome = await this.signIns.signIn({
      purpose: 'page',
      email,
      password: form.text('password'),
      address: request.address,
      userAgent: request.headers['user-agent'] ?? '',
      device: this.cookies.deviceOf(request),
      isGone: () => request.raw.socket.destroyed,
    });
    if (outcome.kind !== 'signed_in') {
      const app = (await this.waitingApp(returnTo, request))?.head ?? null;
      if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
      return this.render(reply, { returnTo, app, email, refusal: refusalOf(outcome), arrival: null });
    }
    this.cookies.set(reply, outcome);
    const next = await this.next(returnTo, request, outcome.token);
    if (next === null) throw new PageError({ kind: 'redirect', to: HOME });
    seeOther(reply, next);
  }

  private render(reply: FastifyReply, { returnTo, ...shown }: LoginPageState): void {
    const { refusal } = shown;
    if (refusal?.kind === 'slow') reply.header('retry-after', refusal.retryAfterSeconds);
    const links = {
      action: withReturnTo(paths.login, returnTo),
      registerHref: this.registration.mode === 'closed' ? null : withReturnTo(paths.register, returnTo),
    };
    const status = refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422;
    this.preSession.send(reply, (form) => loginPage({ ...shown, ...links, ...form }), status);
  }

  /** The app whose request waits, if there is one. @throws PageError if the request has ended or was started in another browser */
  private async waitingApp({ challenge }: ReturnTo, request: FastifyRequest): Promise<WaitingApp | null> {
    return challenge === undefined ? null : this.pending.app(challenge, request);
  }

  /** Where a signed-in person continues; null: this sign-in does not suffice for the request, so the person signs in again. */
  private async next({ challenge, to }: ReturnTo, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    return challenge === undefined ? (to ?? HOME) : this.pending.continueAt(challenge, request, sessionToken);
  }
}

const refusalOf = (outcome: Exclude<SignInOutcome, { kind: 'signed_in' }>): LoginModel['refusal'] =>
  outcome.kind === 'refused' ? { kind: 'wrong' } : { kind: 'slow', retryAfterSeconds: outcome.retryAfterSeconds };
