import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import { Csrf, Pages, type CsrfBinding } from '../page/index.js';
import { withOnward, type ReturnTo } from './return-to.js';
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
  ) {}

  /** The e-mail of a person who has just registered in this browser. */
  registeredEmail(request: FastifyRequest, reply: FastifyReply): string | null {
    return this.flash.take(request, reply, paths.login);
  }

  render(
    reply: FastifyReply,
    binding: CsrfBinding | null,
    { onward, ...model }: Pick<LoginModel, 'client' | 'email' | 'refusal' | 'arrival'> & { onward: ReturnTo },
  ): void {
    const page = loginPage({
      ...model,
      frame: this.pages.frame(),
      csrf: binding === null ? '' : this.csrf.token(binding),
      action: withOnward(paths.login, onward),
      registerHref: withOnward(paths.register, onward),
      demoAccounts: this.config.mode === 'demo' ? DEMO_ACCOUNTS : null,
    });
    const { refusal } = model;
    if (refusal?.kind === 'slow') reply.header('retry-after', refusal.retryAfterSeconds);
    this.pages.send(reply, { kind: 'gate' }, page, refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422);
  }
}
