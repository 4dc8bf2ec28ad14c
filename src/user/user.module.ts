import { Module } from '@nestjs/common';
import { AuthLoginController } from './auth-login.controller.js';
import { DeviceCookie } from './device-cookie.js';
import { Passwords } from './passwords.js';
import { PageSessions } from './page-sessions.js';
import { RegistrationService } from './registration.service.js';
import { SessionService } from './session.service.js';
import { SessionStrategy } from './session.strategy.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInService } from './sign-in.service.js';
import { UserResolver } from './user.resolver.js';
import { UserService } from './user.service.js';

/** Users: registration, sign-in, sessions. */
@Module({
  controllers: [AuthLoginController],
  providers: [
    DeviceCookie,
    PageSessions,
    Passwords,
    RegistrationService,
    SessionService,
    SessionStrategy,
    SignInLimits,
    SignInService,
    UserResolver,
    UserService,
  ],
  exports: [PageSessions, RegistrationService, SessionService, SignInService, UserService],
})
export class UserModule {}
