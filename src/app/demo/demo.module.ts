import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/index.js';
import { InvoiceModule } from '../../money/invoice/index.js';
import { OAuthModule } from '../../access/oauth/index.js';
import { UserModule } from '../../access/user/index.js';
import { WalletModule } from '../../money/wallet/index.js';
import { DemoClient } from './demo-client.js';
import { DemoMailController } from './demo-mail.controller.js';
import { DemoPeople, DemoTreasury } from './demo-people.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [ApiKeyModule, InvoiceModule, OAuthModule, UserModule, WalletModule],
  controllers: [DemoMailController],
  providers: [DemoClient, DemoPeople, DemoService, DemoTreasury],
})
export class DemoModule {}
