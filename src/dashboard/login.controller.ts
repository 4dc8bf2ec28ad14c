import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, Public, type Visitor } from '../auth/index.js';
import { BoundTo, PageController, PageError, PageForm, seeOther, type Form } from '../page/index.js';
import { SignInService, type SignInOutcome } from '../user/index.js';
import { LoginInteraction } from './login-interaction.js';
import { LoginView } from './login-view.js';
import { PreSession } from './pre-session.js';
import { returnToIn } from './return-to.js';
import { SignInCookies } from './sign-in-cookies.js';
import { paths, type LoginModel } from './view/index.js';

type Query = Readonly<Record<string, unknown>>;

/** `/login`: for the dashboard, or for an app's request that waits for the sign-in. */
@PageController('login')
export class LoginController {
  constructor(
    private readonly preSession: PreSession,
    private readonly cookies: SignInCookies,
    private readonly interaction: LoginInteraction,
    private readonly signIns: SignInService,
    private readonly view: LoginView,
  ) {}

  @Get()
  @PageSession({ optional: true })
  async show(
    @Query() query: Query,
    @CurrentVisitor() visitor: Visitor | null,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const returnTo = returnToIn(query);
    if (visitor && query['switch'] === undefined) {
      const next = await this.interaction.next(returnTo, request, visitor.token);
      if (next !== null) return seeOther(reply, next);
    }
    const client = await this.interaction.client(returnTo.challenge, request);
    this.view.render(reply, this.preSession.begin(request, reply), {
      returnTo,
      client: client?.view ?? null,
      email: this.view.registeredEmail(request, reply) ?? client?.loginHint ?? '',
      refusal: null,
      arrival: arrivalIn(query),
    });
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async signIn(@Query() query: Query, @PageForm() form: Form, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const returnTo = returnToIn(query);
    const email = form.text('email');
    const outcome = await this.signIns.signIn({
      email,
      password: form.text('password'),
      address: request.address,
      userAgent: request.headers['user-agent'] ?? '',
      purpose: 'page',
      device: this.cookies.deviceOf(request),
      isGone: () => request.raw.socket.destroyed,
    });
    if (outcome.kind !== 'signed_in') {
      const client = await this.interaction.client(returnTo.challenge, request);
      return this.view.render(reply, this.preSession.bindingOf(request), {
        returnTo,
        client: client?.view ?? null,
        email,
        refusal: refusalOf(outcome),
        limit: outcome.limit,
        arrival: null,
      });
    }
    this.cookies.set(reply, outcome);
    const next = await this.interaction.next(returnTo, request, outcome.token);
    if (next === null) throw new PageError({ kind: 'redirect', to: paths.wallet });
    seeOther(reply, next);
  }
}

const INTERRUPTED = { kept: 'form-kept', lost: 'form-lost', again: 'form-again' } as const;

/** What led to this page, from its address. */
function arrivalIn(query: Query): LoginModel['arrival'] {
  const { interrupted } = query;
  if (interrupted === 'kept' || interrupted === 'lost' || interrupted === 'again') return INTERRUPTED[interrupted];
  return query['registered'] !== undefined ? 'registered' : query['signed-out'] !== undefined ? 'signed-out' : null;
}

const refusalOf = (outcome: Exclude<SignInOutcome, { kind: 'signed_in' }>): LoginModel['refusal'] =>
  outcome.kind === 'refused' ? { kind: 'wrong' } : { kind: 'slow', retryAfterSeconds: outcome.retryAfterSeconds };
