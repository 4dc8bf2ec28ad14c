import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Throttle } from '../auth/index.js';
import { Config } from '../config/index.js';
import { Csrf, Pages, type CsrfBinding } from '../page/index.js';
import type { SignInLimit } from '../user/index.js';
import { withReturnTo, type ReturnTo } from './return-to.js';
import { FlashCookie } from './flash-cookie.js';
import { loginPage, paths, type LoginModel } from './view/index.js';

const DEMO_ACCOUNTS = { emails: ['alice@example.test', 'bob@example.test', 'operator@example.test'], password: 'sluice-demo' };

/** Draws the sign-in page. */
@Injectable()
export class LoginView {
  constructor(
    private readonly config: Config,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
    private readonly flash: FlashCookie,
    private readonly throttle: Throttle,
  ) {}

  /** The e-mail of a person who has just registered in this browser. */
  registeredEmail(request: FastifyRequest, reply: FastifyReply): string | null {
    return this.flash.take(request, reply, paths.login);
  }

  render(
    reply: FastifyReply,
    binding: CsrfBinding | null,
    {
      returnTo,
      limit,
      ...model
    }: Pick<LoginModel, 'client' | 'email' | 'refusal' | 'arrival'> & { returnTo: ReturnTo; limit?: SignInLimit | undefined },
  ): void {
    const page = loginPage({
      ...model,
      frame: this.pages.frame(),
      csrf: binding === null ? '' : this.csrf.token(binding),
      action: withReturnTo(paths.login, returnTo),
      registerHref: withReturnTo(paths.register, returnTo),
      demoAccounts: this.config.mode === 'demo' ? DEMO_ACCOUNTS : null,
    });
    if (limit) this.throttle.setRateLimitHeaders(reply, limit.bucket, limit.hit);
    const { refusal } = model;
    if (refusal?.kind === 'slow') reply.header('retry-after', refusal.retryAfterSeconds);
    this.pages.send(reply, { kind: 'gate' }, page, refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422);
  }
}
