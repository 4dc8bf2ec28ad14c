import { Global, Module } from '@nestjs/common';
import { ApiKeyModule } from '../api-key/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { OAuthModule } from '../oauth/index.js';
import { SignInRedirect } from '../page/index.js';
import { PaymentModule } from '../payment/index.js';
import { PriceModule } from '../price/index.js';
import { UserModule } from '../user/index.js';
import { WalletModule } from '../wallet/index.js';
import { Activities } from './activities.js';
import { AppPages } from './app-pages.js';
import { AppController } from './app.controller.js';
import { LoginInteraction } from './login-interaction.js';
import { ConsentBinding } from './consent-binding.js';
import { ConsentController } from './consent.controller.js';
import { FrontController } from './front.controller.js';
import { HistoryController } from './history.controller.js';
import { Interrupted } from './interrupted.js';
import { KeyController } from './key.controller.js';
import { KeyPages } from './key-pages.js';
import { LiveController } from './live.controller.js';
import { LiveFeed } from './live-feed.js';
import { LoginController } from './login.controller.js';
import { LoginView } from './login-view.js';
import { LogoutController } from './logout.controller.js';
import { NotFoundHandler } from './not-found.js';
import { PreSession } from './pre-session.js';
import { ReceiveController } from './receive.controller.js';
import { Receiving } from './receiving.js';
import { RegisterController } from './register.controller.js';
import { RegisterView } from './register-view.js';
import { SignInCookies } from './sign-in-cookies.js';
import { FlashCookie } from './flash-cookie.js';
import { WalletController } from './wallet.controller.js';
import { WalletPages } from './wallet-pages.js';
import { WalletReading } from './wallet-reading.js';

/** The pages for people. It has no storage of its own: it reads everything from the features' services. */
@Global()
@Module({
  imports: [ApiKeyModule, InvoiceModule, OAuthModule, PaymentModule, PriceModule, UserModule, WalletModule],
  controllers: [
    AppController,
    ConsentController,
    FrontController,
    HistoryController,
    KeyController,
    LiveController,
    LoginController,
    LogoutController,
    ReceiveController,
    RegisterController,
    WalletController,
  ],
  providers: [
    Activities,
    AppPages,
    LoginInteraction,
    ConsentBinding,
    Interrupted,
    KeyPages,
    LiveFeed,
    LoginView,
    NotFoundHandler,
    Receiving,
    PreSession,
    RegisterView,
    SignInCookies,
    FlashCookie,
    WalletPages,
    WalletReading,
    { provide: SignInRedirect, useExisting: Interrupted },
  ],
  exports: [SignInRedirect],
})
export class DashboardModule {}
