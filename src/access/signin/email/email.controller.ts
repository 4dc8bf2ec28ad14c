import { Get, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../../edge/auth/index.js';
import { PageController, PageError, PageForm, PageRenderer, seeOther, type Form } from '../../../edge/page/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { UserService } from '../../user/index.js';
import { paths } from '../paths.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { EmailChange } from './email-change.js';
import { confirmEmailPage, emailPage, type EmailModel } from './email.view.js';

const SENT = ['sent', 'changed', 'confirmed'] as const;

/** `/dashboard/security/email`: the person confirms or changes the e-mail address. Only a POST changes anything: programs that scan mail follow links. */
@PageController('dashboard/security/email')
@UseGuards(RequiresPasswords)
@PageSession()
export class EmailController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly users: UserService,
    private readonly change: EmailChange,
    private readonly limiter: RateLimiter,
  ) {}

  @Get()
  async show(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.change.prove(visitor);
    await this.render(reply, visitor, { done: SENT.find((each) => query[each] !== undefined) ?? null });
  }

  /** Sends a link to the present address, or to another one, which needs the password. The answer is the same where another account has it. */
  @Post()
  async send(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    await this.change.prove(visitor);
    const typed = form.text('email');
    const address = form.text('verify') === '' ? this.change.addressOf(typed) : visitor.user.email;
    if (address === undefined) return this.render(reply, visitor, { typed, fault: 'email' });
    const limit = await this.limiter.consume('mailAddress', reply.request.address);
    setRateLimitHeaders(reply, limit);
    if (limit.isBlocked) return this.render(reply, visitor, { typed, fault: limit.resetSeconds });
    const refusal = address === visitor.user.email ? null : await this.change.refusePassword(visitor, form.text('password'));
    if (refusal !== null) return this.render(reply, visitor, { typed, fault: refusal });
    if (!(await this.limiter.consume('mailRecipient', address)).isBlocked) await this.change.request(visitor, address);
    seeOther(reply, `${paths.email}?sent=1`);
  }

  @Get('confirm')
  async ask(@Query('token') token: unknown, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const { address, email } = await this.change.linkOf(visitor, token);
    const model = { address, isNew: address !== email, token: String(token) };
    await this.renderer.send(reply, visitor, (frame) => confirmEmailPage({ ...model, frame }));
  }

  @Post('confirm')
  async confirm(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const link = await this.change.linkOf(visitor, form.text('token'));
    const outcome = await this.change.confirm(link);
    if (outcome === 'not_found' || outcome === 'taken') throw new PageError({ kind: 'error', error: 'link' });
    seeOther(reply, `${paths.email}?${outcome === 'changed' ? 'changed' : 'confirmed'}=1`);
  }

  private async render(reply: FastifyReply, visitor: Visitor, shown: Partial<Pick<EmailModel, 'typed' | 'fault' | 'done'>>): Promise<void> {
    const { fault = null } = shown;
    const user = await this.users.findById(visitor.user.id);
    const model = {
      ...{ typed: '', done: null, ...shown, fault },
      isVerified: user?.emailVerifiedAt !== null,
      hasMail: this.change.isAvailable,
    };
    const status = fault === null ? 200 : typeof fault === 'number' ? 429 : 422;
    await this.renderer.send(reply, visitor, (frame) => emailPage({ ...model, frame }), { status });
  }
}
