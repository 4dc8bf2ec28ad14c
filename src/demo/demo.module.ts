import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../api-key/index.js';
import { Readiness } from '../health/index.js';
import { InvoiceModule } from '../invoice/index.js';
import { OAuthModule } from '../oauth/index.js';
import { UserModule } from '../user/index.js';
import { WalletModule } from '../wallet/index.js';
import { DemoReady } from './announce.js';
import { DemoClient } from './demo-client.js';
import { DemoPeople, DemoTreasury } from './demo-people.js';
import { DemoService } from './demo.service.js';

/** Present in demo mode only. */
@Module({
  imports: [ApiKeyModule, InvoiceModule, OAuthModule, UserModule, WalletModule],
  providers: [
    DemoClient,
    DemoPeople,
    DemoService,
    DemoTreasury,
    { provide: DemoReady, useFactory: (readiness: Readiness) => new DemoReady(readiness.await('demo')), inject: [Readiness] },
  ],
})
export class DemoModule {}
