import { Module } from '@nestjs/common';
import { FactorModule, Factors } from '../factor/index.js';
import { Notices } from '../notice/index.js';
import { UserModule, UserService } from '../user/index.js';
import { AuthLoginController } from './auth-login.controller.js';
import { DeviceCookie } from './device-cookie.js';
import { PageSessions } from './page-sessions.js';
import { SessionOpener } from './session-opener.js';
import { SessionResolver } from './session.resolver.js';
import { SessionService } from './session.service.js';
import { SessionStrategy } from './session.strategy.js';
import { SignInService } from './sign-in.service.js';
import { SignInTickets } from './sign-in-tickets.js';
import { StepUp } from './step-up.js';
import { TotpResolver } from './totp.resolver.js';

@Module({
  imports: [FactorModule, UserModule],
  controllers: [AuthLoginController],
  providers: [
    DeviceCookie,
    PageSessions,
    SessionOpener,
    SessionResolver,
    SessionService,
    SessionStrategy,
    SignInService,
    SignInTickets,
    StepUp,
    TotpResolver,
  ],
  exports: [FactorModule, PageSessions, SessionOpener, SessionService, SignInService, SignInTickets, StepUp],
})
export class SessionModule {
  constructor(users: UserService, factors: Factors, sessions: SessionService, notices: Notices) {
    users.joinPasswordChange((tx, userId) => sessions.endAtNewPassword(tx, userId));
    factors.joinChange((tx, userId) => sessions.forgetFactor(tx, userId));
    factors.joinChange((tx, userId) => notices.add(tx, { userId, kind: 'factor_changed', details: {} }));
  }
}
