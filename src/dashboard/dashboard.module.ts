import { Module } from '@nestjs/common';
import { CallModule } from '../access/call/index.js';
import { ApiKeyModule } from '../access/api-key/index.js';
import { InvoiceModule } from '../money/invoice/index.js';
import { LnurlModule } from '../money/lnurl/index.js';
import { DepositModule } from '../money/onchain/index.js';
import { OAuthModule } from '../access/oauth/index.js';
import { PaymentModule } from '../money/payment/index.js';
import { PersonalDataModule } from '../money/personal-data/index.js';
import { PriceModule } from '../money/price/index.js';
import { SignInModule } from '../access/signin/index.js';
import { UserModule } from '../access/user/index.js';
import { TransactionModule } from '../money/transaction/index.js';
import { SessionModule } from '../access/session/index.js';
import { WalletModule } from '../money/wallet/index.js';
import { WebhookModule } from '../money/webhook/index.js';
import { AccountController } from './account/account.controller.js';
import { DeletionController } from './account/deletion.controller.js';
import { ExportController } from './account/export.controller.js';
import { PayerAccounts } from './account/payer-accounts.js';
import { ActivityService } from './activity/activity.service.js';
import { ChainProgressService } from './activity/chain-progress.service.js';
import { AppsController } from './apps/apps.controller.js';
import { ConvertController } from './convert/convert.controller.js';
import { RootController, WalletController } from './wallet/wallet.controller.js';
import { Downloads } from './downloads.js';
import { DeveloperController } from './developer/developer.controller.js';
import { HistoryController } from './history/history.controller.js';
import { HistoryPageService } from './history/history.service.js';
import { TransactionPageService } from './history/transaction.service.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysPageService } from './keys/keys.service.js';
import { LiveController, LiveFeed } from './live/live.controller.js';
import { SealedOrders } from './order/sealed-orders.js';
import { NoticeController } from './notice/notice.controller.js';
import { PauseController } from './pause/pause.controller.js';
import { InvoiceAddressService } from './receive/invoice-address.service.js';
import { InvoicePageService } from './receive/invoice.service.js';
import { ReceiveController } from './receive/receive.controller.js';
import { FactorChanges } from './security/factor-changes.js';
import { PasskeysController } from './security/passkeys.controller.js';
import { SecurityController } from './security/security.controller.js';
import { SessionsController } from './security/sessions.controller.js';
import { SendController } from './send/send.controller.js';
import { SendTargetService } from './send/send-target.service.js';
import { SendQuoteService } from './send/send-quote.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** The pages for people. It has no storage of its own: it reads everything from the features' services. */
@Module({
  imports: [
    ApiKeyModule,
    CallModule,
    DepositModule,
    InvoiceModule,
    LnurlModule,
    OAuthModule,
    PaymentModule,
    PersonalDataModule,
    PriceModule,
    SessionModule,
    SignInModule,
    TransactionModule,
    UserModule,
    WalletModule,
    WebhookModule,
  ],
  controllers: [
    AccountController,
    DeletionController,
    ExportController,
    AppsController,
    ConvertController,
    DeveloperController,
    RootController,
    HistoryController,
    KeysController,
    LiveController,
    NoticeController,
    PauseController,
    ReceiveController,
    PasskeysController,
    SecurityController,
    SendController,
    SessionsController,
    WalletController,
    WebhooksController,
  ],
  providers: [
    ActivityService,
    ChainProgressService,
    Downloads,
    FactorChanges,
    HistoryPageService,
    KeysPageService,
    LiveFeed,
    PayerAccounts,
    SealedOrders,
    SendQuoteService,
    SendTargetService,
    TransactionPageService,
    InvoiceAddressService,
    InvoicePageService,
  ],
})
export class DashboardModule {}
