import { Get, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSessionError, type Visitor } from '../../../edge/auth/index.js';
import { PageForm, PersonPages, Reply, type Answer, type Form, type Screen } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { Passkeys } from '../../factor/index.js';
import { AMR, StepUp } from '../../session/index.js';
import { HOME, paths, withReturnTo, type ReturnTo } from '../paths.js';
import { ReturnToPipe } from '../return-pages.js';
import { SignInCookies } from '../sign-in-cookies.js';
import { SignInWays } from '../sign-in-ways.js';
import type { CodeRefusal } from '../login/code.view.js';
import { confirmPage } from './confirm.view.js';

/** `/dashboard/confirm?to=…`: a signed-in person proves again who they are, and goes back to the page that needs it (`requireFreshFactor`). */
@PersonPages('dashboard/confirm')
export class ConfirmController {
  constructor(
    private readonly ways: SignInWays,
    private readonly steps: StepUp,
    private readonly cookies: SignInCookies,
    private readonly passkeys: Passkeys,
  ) {}

  @Get()
  show(@Query(ReturnToPipe) { to }: ReturnTo, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    return this.screen(visitor, to, null);
  }

  @Post()
  async confirm(
    @Query(ReturnToPipe) { to }: ReturnTo,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Reply() reply: FastifyReply,
  ): Promise<Answer> {
    const response = form.text('response');
    if (response !== '' && (await this.passkeys.verify(bindingOf(visitor), response)) !== visitor.user.id)
      return this.screen(visitor, to, { kind: 'passkey' });
    const outcome =
      response === ''
        ? await this.steps.confirm(visitor, form.text('code') || form.text('password'))
        : await this.steps.renew(visitor, AMR.passkey);
    if (outcome.kind === 'ended') throw new PageSessionError('The session ended during the proof');
    if (outcome.kind === 'confirmed') {
      this.cookies.set(reply, outcome);
      return { seeOther: to ?? HOME };
    }
    setRateLimitHeaders(reply, outcome.limit);
    if (outcome.kind === 'slowed_down') reply.header('retry-after', outcome.retryAfterSeconds);
    return this.screen(visitor, to, { kind: outcome.kind === 'wrong' ? 'wrong' : 'slow' });
  }

  private async screen(visitor: Visitor, to: string | undefined, refusal: CodeRefusal | null): Promise<Screen> {
    const { totp, passkeys } = await this.ways.factors.state(visitor.user.id);
    const hasFactor = totp || passkeys > 0;
    const passkey = passkeys > 0 ? this.passkeys.requestOptions(bindingOf(visitor)) : null;
    const company = hasFactor ? null : this.ways.company({ to }, 'confirm');
    const proofs = { hasFactor, passkey, company, passwordsWork: this.ways.passwordsWork };
    const links = { action: withReturnTo(paths.confirm, { to }), backHref: to?.startsWith(paths.security) ? paths.security : HOME };
    const status = refusal === null ? 200 : refusal.kind === 'slow' ? 429 : 422;
    return { draw: (frame) => confirmPage({ ...links, ...proofs, frame, refusal }), status };
  }
}

const bindingOf = ({ session }: Visitor): string => `session:${session.id}`;
