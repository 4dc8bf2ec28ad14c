import { Module } from '@nestjs/common';
import { IdentityModule, IdentityRemoval } from '../../access/identity/index.js';
import { WalletModule } from '../wallet/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { EndpointSecrets } from './signing-secret.js';
import { HistoryWebhooks } from './history-webhooks.js';
import { AccountWebhooksResolver, EndpointDeliveriesResolver } from './webhook.resolver.js';
import { WebhookService } from './webhook.service.js';

@Module({
  imports: [IdentityModule, WalletModule],
  providers: [AccountWebhooksResolver, DeliveryDispatcher, EndpointDeliveriesResolver, EndpointSecrets, HistoryWebhooks, WebhookService],
  exports: [DeliveryDispatcher, WebhookService],
})
export class WebhookModule {
  constructor(removal: IdentityRemoval, webhooks: WebhookService) {
    removal.joinEnd((tx, userId) => webhooks.deleteAll(tx, userId));
  }
}
