import { Get, Post, Query, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../../edge/auth/index.js';
import { PageError, PageForm, PersonPages, Reply, type Answer, type Form, type Redirect, type Screen } from '../../../edge/page/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { EmailRequests, EmailService, UserService } from '../../user/index.js';
import { paths } from '../paths.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { EmailChange } from './email-change.js';
import { confirmEmailPage, emailPage, type EmailModel } from './email.view.js';

const SENT = ['sent', 'changed', 'confirmed'] as const;

/** `/dashboard/security/email`: the person confirms or changes the e-mail address. Only a POST changes anything: programs that scan mail follow links. */
@PersonPages('dashboard/security/email')
@UseGuards(RequiresPasswords)
export class EmailController {
  constructor(
    private readonly users: UserService,
    private readonly change: EmailChange,
    private readonly emails: EmailService,
    private readonly requests: EmailRequests,
    private readonly limiter: RateLimiter,
  ) {}

  @Get()
  async show(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    await this.change.prove(visitor);
    return this.screen(visitor, { done: SENT.find((each) => query[each] !== undefined) ?? null });
  }

  /** Sends a link to the present address, or to another one, which needs the password. The answer is the same where another account has it. */
  @Post()
  async send(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Reply() reply: FastifyReply): Promise<Answer> {
    await this.change.prove(visitor);
    const typed = form.text('email');
    const address = form.text('verify') === '' ? this.change.addressOf(typed) : visitor.user.email;
    if (address === undefined) return this.screen(visitor, { typed, fault: 'email' });
    const limit = await this.limiter.consume('mailAddress', reply.request.address);
    setRateLimitHeaders(reply, limit);
    if (limit.isBlocked) return this.screen(visitor, { typed, fault: limit.resetSeconds });
    const refusal = address === visitor.user.email ? null : await this.change.refusePassword(visitor, form.text('password'));
    if (refusal !== null) return this.screen(visitor, { typed, fault: refusal });
    if (!(await this.limiter.consume('mailRecipient', address)).isBlocked) await this.requests.add({ userId: visitor.user.id, address });
    return { seeOther: `${paths.email}?sent=1` };
  }

  @Get('confirm')
  async ask(@Query('token') token: unknown, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const { address, email } = await this.change.linkOf(visitor, token);
    const model = { address, isNew: address !== email, token: String(token) };
    return { draw: (frame) => confirmEmailPage({ ...model, frame }) };
  }

  @Post('confirm')
  async confirm(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form): Promise<Redirect> {
    const { userId, address } = await this.change.linkOf(visitor, form.text('token'));
    const outcome = await this.emails.confirm(userId, address);
    if (outcome === 'not_found' || outcome === 'taken') throw new PageError({ kind: 'error', error: 'link' });
    return { seeOther: `${paths.email}?${outcome === 'changed' ? 'changed' : 'confirmed'}=1` };
  }

  private async screen(visitor: Visitor, shown: Partial<Pick<EmailModel, 'typed' | 'fault' | 'done'>>): Promise<Screen> {
    const { fault = null } = shown;
    const user = await this.users.findById(visitor.user.id);
    const model = {
      ...{ typed: '', done: null, ...shown, fault },
      isVerified: user?.emailVerifiedAt !== null,
      hasMail: this.emails.isAvailable,
    };
    const status = fault === null ? 200 : typeof fault === 'number' ? 429 : 422;
    return { draw: (frame) => emailPage({ ...model, frame }), status };
  }
}
