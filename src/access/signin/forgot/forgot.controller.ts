import { Get, NotFoundException, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageForm, Pages, seeOther, type Form } from '../../../edge/page/index.js';
import { RateLimiter, setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { emailOf, PasswordResetService, Passwords } from '../../user/index.js';
import { paths } from '../paths.js';
import { PreSession } from '../pre-session.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { forgotPage, forgotSentPage, type ForgotModel } from './forgot.view.js';

/** `/forgot-password`: sends a link by mail. The answer and the work are the same for an address without an account. */
@PageController('forgot-password')
export class ForgotController {
  constructor(
    private readonly preSession: PreSession,
    private readonly passwords: Passwords,
    private readonly resets: PasswordResetService,
    private readonly limiter: RateLimiter,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  show(@Res() reply: FastifyReply): void {
    // Mails lead here, also those of a server where the company signs people in.
    if (!this.passwords.signIn) return seeOther(reply, paths.sessions);
    this.render(reply, { email: '', fault: null });
  }

  @Post()
  @Public()
  @UseGuards(RequiresPasswords)
  @BoundTo(PreSession)
  async send(@PageForm() form: Form, @Req() { address }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const typed = form.text('email');
    const email = emailOf(typed);
    if (email === undefined || !this.resets.isAvailable) return this.render(reply, { email: typed, fault: 'email' });
    const limit = await this.limiter.consume('mailAddress', address);
    setRateLimitHeaders(reply, limit);
    if (limit.isBlocked) return this.render(reply, { email: typed, fault: limit.resetSeconds });
    if (!(await this.limiter.consume('mailRecipient', email)).isBlocked) await this.resets.request(email);
    this.pages.send(reply, { kind: 'gate' }, forgotSentPage(this.pages.frame(), email));
  }

  private render(reply: FastifyReply, shown: Pick<ForgotModel, 'email' | 'fault'>): void {
    if (!this.resets.isAvailable) throw new NotFoundException();
    const status = shown.fault === null ? 200 : shown.fault === 'email' ? 422 : 429;
    this.preSession.send(reply, (form) => forgotPage({ ...form, ...shown }), status);
  }
}
