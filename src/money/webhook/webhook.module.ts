import { Module } from '@nestjs/common';
import { WalletModule } from '../wallet/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { EndpointSecrets } from './signing-secret.js';
import { HistoryWebhooks } from './history-webhooks.js';
import { AccountWebhooksResolver, EndpointDeliveriesResolver, WebhookMutationResolver } from './webhook.resolver.js';
import { WebhookService } from './webhook.service.js';

@Module({
  imports: [WalletModule],
  providers: [
    AccountWebhooksResolver,
    DeliveryDispatcher,
    EndpointDeliveriesResolver,
    EndpointSecrets,
    HistoryWebhooks,
    WebhookMutationResolver,
    WebhookService,
  ],
  exports: [DeliveryDispatcher, WebhookService],
})
export class WebhookModule {}
