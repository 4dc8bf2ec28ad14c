import { Module } from '@nestjs/common';
import { UserModule, UserService } from '../user/index.js';
import { AuthLoginController } from './auth-login.controller.js';
import { DeviceCookie } from './device-cookie.js';
import { PageSessions } from './page-sessions.js';
import { SessionResolver } from './session.resolver.js';
import { SessionService } from './session.service.js';
import { SessionStrategy } from './session.strategy.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [UserModule],
  controllers: [AuthLoginController],
  providers: [DeviceCookie, PageSessions, SessionResolver, SessionService, SessionStrategy, SignInService],
  exports: [PageSessions, SessionService, SignInService],
})
export class SessionModule {
  constructor(users: UserService, sessions: SessionService) {
    users.joinPasswordChange((tx, userId) => sessions.endAtNewPassword(tx, userId));
  }
}
