import { Get, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Factors, type TotpRegistration } from '../../access/factor/index.js';
import { SessionService } from '../../access/session/index.js';
import { FlashCookie, requireFreshFactor } from '../../access/signin/index.js';
import { Passwords } from '../../access/user/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { DashboardPages, Reply, type Answer, type Redirect, type Screen } from '../screen.js';
import { changed, FactorChanges } from './factor-changes.js';
import { changeOf, codesPage, removeTotpPage, securityPage, totpPage } from './security.view.js';

const WRONG_CODE = 'Wrong code. Enter the one that the app shows now; check that the time of your phone is right.';
const ENDED = 'This took too long. Scan the new code, and enter what the app shows.';

/** How a person signs in. What changes it needs a fresh proof of who they are. */
@DashboardPages('/security')
export class SecurityController {
  constructor(
    private readonly factors: Factors,
    private readonly sessions: SessionService,
    private readonly changes: FactorChanges,
    private readonly flash: FlashCookie,
    private readonly passwords: Passwords,
  ) {}

  @Get()
  async security(@Query('changed') change: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const [state, sessions] = await Promise.all([this.factors.state(user.id), this.sessions.list(user.id)]);
    return {
      draw: (frame) =>
        securityPage({ frame, state, sessions: sessions.length, change: changeOf(change), passwordsWork: this.passwords.signIn }),
    };
  }

  @Get('totp')
  async totp(@CurrentVisitor() visitor: Visitor): Promise<Answer> {
    requireFreshFactor(visitor, paths.totp);
    const { user } = visitor;
    if (await this.factors.hasTotp(user.id)) return changed('totp-on');
    return this.totpScreen(await this.factors.register(user.id, user.email), null);
  }

  @Post('totp')
  async enrol(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Reply() reply: FastifyReply): Promise<Answer> {
    requireFreshFactor(visitor, paths.totp);
    const { user } = visitor;
    const id = form.text('registration');
    const outcome = await this.factors.enrol(user.id, id, form.text('code'));
    if (outcome.kind === 'exists') return changed('totp-on');
    if (outcome.kind !== 'enrolled') {
      const same = await this.factors.readRegistration(user.id, id, user.email);
      return this.totpScreen(same ?? (await this.factors.register(user.id, user.email)), same ? WRONG_CODE : ENDED);
    }
    return this.changes.added(visitor, reply, ['otp', 'mfa'], outcome.codes, 'totp-on');
  }

  @Get('totp/remove')
  askToRemove(@CurrentVisitor() visitor: Visitor): Screen {
    requireFreshFactor(visitor, paths.removeTotp);
    return { draw: removeTotpPage };
  }

  @Post('totp/remove')
  async remove(@CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    requireFreshFactor(visitor, paths.removeTotp);
    if (await this.factors.removeTotp(visitor.user.id)) await this.changes.renew(visitor, reply, []);
    return changed('totp-off');
  }

  @Get('codes')
  async codes(@CurrentVisitor() { user }: Visitor, @Reply() reply: FastifyReply): Promise<Answer> {
    const codes = this.flash.take(reply, paths.recoveryCodes)?.split(' ') ?? null;
    const { totp, passkeys, recoveryCodes: left } = await this.factors.state(user.id);
    if (!totp && passkeys === 0) return { seeOther: paths.security };
    return { draw: (frame) => codesPage(frame, codes, left) };
  }

  @Post('codes')
  async renewCodes(@CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    requireFreshFactor(visitor, paths.recoveryCodes);
    const codes = await this.factors.renewCodes(visitor.user.id);
    return codes ? this.changes.showCodes(reply, codes) : { seeOther: paths.security };
  }

  private totpScreen(registration: TotpRegistration, fault: string | null): Screen {
    return { draw: (frame) => totpPage(frame, registration, fault), status: fault === null ? 200 : 422 };
  }
}
