import { Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageForm, Pages, seeOther, type Form } from '../../../edge/page/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { RegistrationService } from '../../user/index.js';
import { paths, withReturnTo, type ReturnTo } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { errorsOf, registerPage, registrationClosedPage, type RegisterModel, type TypedRegistration } from './register.view.js';

type RegisterPageState = Pick<RegisterModel, 'values' | 'errors' | 'retryAfterSeconds'> & { readonly returnTo: ReturnTo };

/** `/register`: creates an account. It signs no person in, and a known e-mail gets the same response as a new one. */
@PageController('register')
export class RegisterController {
  constructor(
    private readonly preSession: PreSession,
    private readonly registration: RegistrationService,
    private readonly limiter: RateLimiter,
    private readonly cookies: SignInCookies,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  show(@Query(ReturnToPipe) returnTo: ReturnTo, @Query('invitation') invitation: unknown, @Res() reply: FastifyReply): void {
    if (this.registration.mode === 'closed') return this.refuse(reply, returnTo);
    const values = { email: '', username: '', invitation: this.asked(typeof invitation === 'string' ? invitation : '') };
    this.render(reply, { returnTo, values, errors: {}, retryAfterSeconds: null });
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async register(@Query(ReturnToPipe) returnTo: ReturnTo, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    if (this.registration.mode === 'closed') return this.refuse(reply, returnTo);
    const typed = typedIn(form);
    const { email, username } = typed;
    const again = { returnTo, values: { email, username, invitation: this.asked(typed.invitation) }, errors: {}, retryAfterSeconds: null };
    const result = this.limiter.consumeNow('registration', reply.request.address);
    setRateLimitHeaders(reply, result);
    if (result.isBlocked) return this.render(reply, { ...again, retryAfterSeconds: result.resetSeconds });
    const outcome = await this.registration.register({ ...typed, address: reply.request.address });
    if (outcome.kind === 'refused' && outcome.code === 'REGISTRATION_CLOSED') return this.refuse(reply, returnTo);
    if (outcome.kind !== 'registered') return this.render(reply, { ...again, errors: errorsOf(outcome, typed) });
    this.cookies.keepEmail(reply, typed.email);
    seeOther(reply, withReturnTo(`${paths.login}?registered=1`, returnTo));
  }

  private asked(invitation: string): string | null {
    return this.registration.mode === 'invite' ? invitation : null;
  }

  private refuse(reply: FastifyReply, returnTo: ReturnTo): void {
    const page = registrationClosedPage({ frame: this.pages.frame(), loginHref: withReturnTo(paths.login, returnTo) });
    this.pages.send(reply, { kind: 'gate' }, page, 403);
  }

  private render(reply: FastifyReply, { returnTo, ...shown }: RegisterPageState): void {
    const status = shown.retryAfterSeconds !== null ? 429 : Object.keys(shown.errors).length > 0 ? 422 : 200;
    const links = { action: withReturnTo(paths.register, returnTo), loginHref: withReturnTo(paths.login, returnTo) };
    this.preSession.send(reply, (form) => registerPage({ ...shown, ...links, ...form }), status);
  }
}

const typedIn = (form: Form): TypedRegistration => ({
  invitation: form.text('invitation'),
  email: form.text('email'),
  username: form.text('username'),
  password: form.text('password'),
});
