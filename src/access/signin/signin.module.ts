import { Global, Module } from '@nestjs/common';
import { SignInRedirect } from '../../edge/page/index.js';
import { ApiKeyModule } from '../api-key/index.js';
import { IdentityModule } from '../identity/index.js';
import { SessionModule } from '../session/index.js';
import { UserModule } from '../user/index.js';
import { FlashCookie } from './flash-cookie.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { CompanyController } from './company/company.controller.js';
import { CompanyJourney } from './company/company-journey.js';
import { CompanyPages } from './company/company-pages.js';
import { CodeController } from './login/code.controller.js';
import { EmailChange } from './email/email-change.js';
import { EmailController } from './email/email.controller.js';
import { EmailResolver } from './email/email.resolver.js';
import { UndoEmailController } from './email/undo-email.controller.js';
import { ForgotController } from './forgot/forgot.controller.js';
import { LoginController } from './login/login.controller.js';
import { SignInFlow } from './login/sign-in-flow.js';
import { LogoutController } from './logout/logout.controller.js';
import { PasswordChange } from './password/password-change.js';
import { PasswordController } from './password/password.controller.js';
import { PreSession } from './pre-session.js';
import { RegisterController } from './register/register.controller.js';
import { ResetController } from './reset/reset.controller.js';
import { ReturnPages } from './return-pages.js';
import { SignInCookies } from './sign-in-cookies.js';
import { SignInWays } from './sign-in-ways.js';

/** The pages on which people sign in, register, set a new password and sign out. Global for `SignInRedirect`, which every page needs. */
@Global()
@Module({
  imports: [ApiKeyModule, IdentityModule, SessionModule, UserModule],
  controllers: [
    CodeController,
    CompanyController,
    ConfirmController,
    ForgotController,
    LoginController,
    LogoutController,
    PasswordController,
    RegisterController,
    ResetController,
    EmailController,
    UndoEmailController,
  ],
  providers: [
    CompanyJourney,
    CompanyPages,
    FlashCookie,
    EmailChange,
    EmailResolver,
    PasswordChange,
    PreSession,
    ReturnPages,
    SignInCookies,
    SignInFlow,
    SignInWays,
    { provide: SignInRedirect, useExisting: ReturnPages },
  ],
  exports: [FlashCookie, SignInCookies, SignInRedirect],
})
export class SignInModule {}
