import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../api-key/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { OAuthModule } from '../oauth/index.js';
import { PaymentModule } from '../payment/index.js';
import { PriceModule } from '../price/index.js';
import { SignInModule } from '../signin/index.js';
import { WalletModule } from '../wallet/index.js';
import { Activities } from './activities.js';
import { AppPages } from './app-pages.js';
import { AppController } from './app.controller.js';
import { FrontController } from './front.controller.js';
import { HistoryController } from './history.controller.js';
import { KeyController } from './key.controller.js';
import { KeyPages } from './key-pages.js';
import { LiveController } from './live.controller.js';
import { LiveFeed } from './live-feed.js';
import { ReceiveController } from './receive.controller.js';
import { Receiving } from './receiving.js';
import { WalletController } from './wallet.controller.js';
import { WalletPages } from './wallet-pages.js';
import { WalletReading } from './wallet-reading.js';

/** The pages for people. It has no storage of its own: it reads everything from the features' services. */
@Module({
  imports: [ApiKeyModule, InvoiceModule, OAuthModule, PaymentModule, PriceModule, SignInModule, WalletModule],
  controllers: [AppController, FrontController, HistoryController, KeyController, LiveController, ReceiveController, WalletController],
  providers: [Activities, AppPages, KeyPages, LiveFeed, Receiving, WalletPages, WalletReading],
})
export class DashboardModule {}
