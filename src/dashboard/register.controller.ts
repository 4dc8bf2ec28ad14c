import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, Throttle } from '../auth/index.js';
import { BoundTo, PageController, PageForm, type Form } from '../page/index.js';
import { PASSWORD_CHARACTERS, RegistrationService, USERNAME_CHARACTERS, type RegistrationOutcome } from '../user/index.js';
import { PreSession } from './pre-session.js';
import { returnToIn, withReturnTo } from './return-to.js';
import { RegisterView } from './register-view.js';
import { FlashCookie } from './flash-cookie.js';
import { paths, type RegisterModel, type UsernameError } from './view/index.js';

interface Typed {
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

/** `/register`: creates an account. It signs no person in, and a known e-mail gets the same response as a new one. */
@PageController('register')
export class RegisterController {
  constructor(
    private readonly preSession: PreSession,
    private readonly registration: RegistrationService,
    private readonly throttle: Throttle,
    private readonly view: RegisterView,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  @Public()
  show(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.view.render(reply, this.preSession.begin(request, reply), {
      returnTo: returnToIn(query),
      values: { email: '', username: '' },
      errors: {},
      retryAfterSeconds: null,
    });
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async register(
    @Query() query: Record<string, unknown>,
    @PageForm() form: Form,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const binding = this.preSession.bindingOf(request);
    const returnTo = returnToIn(query);
    const typed = { email: form.text('email'), username: form.text('username'), password: form.text('password') };
    const again = { returnTo, values: { email: typed.email, username: typed.username }, errors: {}, retryAfterSeconds: null };
    const hit = this.throttle.hit('registration', request.address);
    this.throttle.setRateLimitHeaders(reply, 'registration', hit);
    if (hit.isBlocked) return this.view.render(reply, binding, { ...again, retryAfterSeconds: hit.timeToBlockExpire });
    const outcome = await this.registration.register({ ...typed, address: request.address });
    if (outcome.kind !== 'registered') return this.view.render(reply, binding, { ...again, errors: errorsOf(outcome, typed) });
    // Not in the address, which browsers and logs keep.
    this.flash.keep(reply, paths.login, typed.email);
    void reply
      .code(303)
      .header('location', withReturnTo(`${paths.login}?registered=1`, returnTo))
      .send();
  }
}

/** The service names the field and the rule; the page has its own text for each. */
function errorsOf(
  outcome: Exclude<RegistrationOutcome, { kind: 'registered' }>,
  { email, username, password }: Typed,
): RegisterModel['errors'] {
  if (outcome.kind === 'username_taken') return { username: { kind: 'taken', proposals: outcome.proposals } };
  const characters = [...password].length;
  const errors: { -readonly [K in keyof RegisterModel['errors']]: RegisterModel['errors'][K] } = {};
  for (const { field, proposals } of outcome.faults) {
    if (field === 'email') errors.email = { kind: email.trim() === '' ? 'missing' : 'malformed' };
    else if (field === 'username') errors.username = proposals ? { kind: 'taken', proposals } : usernameErrorOf(username);
    else
      errors.password =
        characters === 0 ? { kind: 'missing' } : { kind: characters < PASSWORD_CHARACTERS.min ? 'short' : 'long', typed: characters };
  }
  return errors;
}

function usernameErrorOf(username: string): UsernameError {
  const typed = [...username.trim()].length;
  if (typed === 0) return { kind: 'missing' };
  if (typed < USERNAME_CHARACTERS.min) return { kind: 'short', typed };
  return typed > USERNAME_CHARACTERS.max ? { kind: 'long', typed } : { kind: 'malformed' };
}
