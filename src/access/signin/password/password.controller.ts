import { Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, PageSessionError, type Visitor } from '../../../edge/auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { Factors } from '../../factor/index.js';
import { requireFreshFactor } from '../confirm/fresh-factor.js';
import { paths } from '../paths.js';
import { passwordFault } from '../register/register.view.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { PasswordChange } from './password-change.js';
import { passwordPage, type PasswordModel } from './password.view.js';

/** `/dashboard/security/password`: the person changes the password. */
@PageController('dashboard/security/password')
@UseGuards(RequiresPasswords)
@PageSession()
export class PasswordController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly factors: Factors,
    private readonly change: PasswordChange,
    private readonly cookies: SignInCookies,
  ) {}

  @Get()
  async show(@CurrentVisitor() visitor: Visitor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.prove(visitor);
    const isSaved = (request.query as Readonly<Record<string, unknown>>)['saved'] !== undefined;
    await this.render(reply, visitor, { isSaved });
  }

  @Post()
  async save(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    await this.prove(visitor);
    const password = form.text('password');
    const ended = form.list('end');
    const outcome = await this.change.run(visitor, reply.request, { current: form.text('current'), password, ended });
    switch (outcome.kind) {
      case 'changed':
        this.cookies.set(reply, outcome);
        return seeOther(reply, `${paths.password}?saved=1`);
      case 'ended':
        throw new PageSessionError('The session ended while the password was changed');
      case 'invalid':
        return this.render(reply, visitor, { fault: passwordFault(password), ended });
      default:
        setRateLimitHeaders(reply, outcome.limit);
        return this.render(reply, visitor, { refusal: outcome.kind === 'wrong' ? 'wrong' : outcome.retryAfterSeconds, ended });
    }
  }

  /** The password is no factor beside itself: a person without one types it here. */
  private async prove(visitor: Visitor): Promise<void> {
    if (await this.factors.has(visitor.user.id)) requireFreshFactor(visitor, paths.password);
  }

  private async render(
    reply: FastifyReply,
    visitor: Visitor,
    shown: Partial<Pick<PasswordModel, 'isSaved' | 'fault' | 'refusal' | 'ended'>>,
  ): Promise<void> {
    const status = typeof shown.refusal === 'number' ? 429 : shown.fault || shown.refusal ? 422 : 200;
    const keys = (await this.change.keysOf(visitor.user.id)).map(({ name }) => name);
    await this.renderer.send(
      reply,
      visitor,
      (frame) => passwordPage({ isSaved: false, fault: null, refusal: null, ended: ['apps'], ...shown, frame, keys }),
      {
        status,
      },
    );
  }
}
