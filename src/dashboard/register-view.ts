import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../config/index.js';
import { Csrf, Pages, type CsrfBinding } from '../page/index.js';
import { withReturnTo, type ReturnTo } from './return-to.js';
import { paths, registerPage, type RegisterModel } from './view/index.js';

/** Draws the registration page. */
@Injectable()
export class RegisterView {
  constructor(
    private readonly config: Config,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  render(
    reply: FastifyReply,
    binding: CsrfBinding | null,
    { returnTo, ...model }: Pick<RegisterModel, 'values' | 'errors' | 'retryAfterSeconds'> & { returnTo: ReturnTo },
  ): void {
    const page = registerPage({
      ...model,
      frame: this.pages.frame(),
      csrf: binding === null ? '' : this.csrf.token(binding),
      action: withReturnTo(paths.register, returnTo),
      loginHref: withReturnTo(paths.login, returnTo),
      addressHost: new URL(this.config.publicUrl).host,
    });
    const status = model.retryAfterSeconds !== null ? 429 : Object.keys(model.errors).length > 0 ? 422 : 200;
    this.pages.send(reply, { kind: 'gate' }, page, status);
  }
}
