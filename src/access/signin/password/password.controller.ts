import { Get, Post, Query, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSessionError, type Visitor } from '../../../edge/auth/index.js';
import { PageForm, PersonPages, Reply, type Answer, type Form, type Screen } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { ApiKeyService } from '../../api-key/index.js';
import { Factors } from '../../factor/index.js';
import { requireFreshFactor } from '../confirm/fresh-factor.js';
import { paths } from '../paths.js';
import { passwordFault } from '../register/register.view.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { PasswordChange } from './password-change.js';
import { passwordPage, type PasswordModel } from './password.view.js';

/** `/dashboard/security/password`: the person changes the password. */
@PersonPages('dashboard/security/password')
@UseGuards(RequiresPasswords)
export class PasswordController {
  constructor(
    private readonly factors: Factors,
    private readonly change: PasswordChange,
    private readonly keys: ApiKeyService,
    private readonly cookies: SignInCookies,
  ) {}

  @Get()
  async show(@Query('saved') saved: unknown, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    await this.prove(visitor);
    return this.screen(visitor, { isSaved: saved !== undefined });
  }

  @Post()
  async save(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Reply() reply: FastifyReply): Promise<Answer> {
    await this.prove(visitor);
    const password = form.text('password');
    const ended = form.list('end');
    const outcome = await this.change.run(visitor, reply.request, { current: form.text('current'), password, ended });
    switch (outcome.kind) {
      case 'changed':
        this.cookies.set(reply, outcome);
        return { seeOther: `${paths.password}?saved=1` };
      case 'ended':
        throw new PageSessionError('The session ended while the password was changed');
      case 'invalid':
        return this.screen(visitor, { fault: passwordFault(password), ended });
      default:
        setRateLimitHeaders(reply, outcome.limit);
        return this.screen(visitor, { refusal: outcome.kind === 'wrong' ? 'wrong' : outcome.retryAfterSeconds, ended });
    }
  }

  /** The password is no factor beside itself: a person without one types it here. */
  private async prove(visitor: Visitor): Promise<void> {
    if (await this.factors.has(visitor.user.id)) requireFreshFactor(visitor, paths.password);
  }

  private async screen({ user }: Visitor, shown: Partial<Pick<PasswordModel, 'isSaved' | 'fault' | 'refusal' | 'ended'>>): Promise<Screen> {
    const status = typeof shown.refusal === 'number' ? 429 : shown.fault || shown.refusal ? 422 : 200;
    const keys = (await this.keys.listInUse(user.id)).map(({ name }) => name);
    const model = { isSaved: false, fault: null, refusal: null, ended: ['apps'], ...shown, keys };
    return { draw: (frame) => passwordPage({ ...model, frame }), status };
  }
}
