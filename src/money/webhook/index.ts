export { WebhookEndpointEntity } from './webhook.entity.js';
export { DeliveryDispatcher } from './delivery.dispatcher.js';
export { enqueueOnce, type SingleWebhook, type WebhookOwner } from './delivery.store.js';
export { WebhookModule } from './webhook.module.js';
export {
  type EndpointAddOutcome,
  type ReplayOutcome,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  MAX_ENDPOINTS,
  MAX_LISTED_DELIVERIES,
  OVERLAP_HOURS,
  WebhookService,
  URL_REFUSALS,
} from './webhook.service.js';
