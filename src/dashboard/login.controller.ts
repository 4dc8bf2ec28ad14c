import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, Throttle } from '../auth/index.js';
import { SignInService, type SignInOutcome } from '../user/index.js';
import { Asking } from './asking.js';
import { PageAuthenticator } from './page-authenticator.js';
import { LoginView } from './login-view.js';
import { onwardIn } from './return-to.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';
import { seeOther } from './page-renderer.js';
import { paths, type LoginModel } from './view/index.js';

type Query = Readonly<Record<string, unknown>>;

/** `/login`: for the dashboard, or for an app's request that waits for the sign-in. */
@Controller('login')
@UseFilters(PageFilter)
export class LoginController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly asking: Asking,
    private readonly signIns: SignInService,
    private readonly throttle: Throttle,
    private readonly view: LoginView,
  ) {}

  @Get()
  @Public()
  async show(@Query() query: Query, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const onward = onwardIn(query);
    const visitor = query['switch'] === undefined ? await this.authenticator.visitor(request) : null;
    if (visitor) {
      const next = await this.asking.next(onward, request, visitor.token);
      if (next !== null) return seeOther(reply, next);
    }
    const client = await this.asking.client(onward.challenge, request);
    this.view.render(reply, this.authenticator.gateBinding(request, reply), {
      onward,
      client: client?.view ?? null,
      email: this.view.registeredEmail(request, reply) ?? client?.loginHint ?? '',
      refusal: null,
      arrival: arrivalIn(query),
    });
  }

  @Post()
  @Public()
  async signIn(@Query() query: Query, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const onward = onwardIn(query);
    const binding = this.authenticator.knownGate(request);
    const form = this.authenticator.read(request, binding);
    const email = form.text('email');
    const outcome = await this.signIns.signIn({
      email,
      password: form.text('password'),
      address: request.address,
      userAgent: request.headers['user-agent'] ?? '',
      purpose: 'page',
      device: this.authenticator.device(request),
      isGone: () => request.raw.socket.destroyed,
    });
    if (outcome.kind !== 'signed_in') {
      if (outcome.limit) this.throttle.announce(reply, outcome.limit.bucket, outcome.limit.hit);
      const client = await this.asking.client(onward.challenge, request);
      return this.view.render(reply, binding, {
        onward,
        client: client?.view ?? null,
        email,
        refusal: refusalOf(outcome),
        arrival: null,
      });
    }
    this.authenticator.letIn(reply, outcome);
    const next = await this.asking.next(onward, request, outcome.token);
    if (next === null) throw new PageRefusal({ kind: 'redirect', to: paths.wallet });
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
