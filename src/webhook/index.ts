export { WebhookDeliveryEntity } from './delivery.entity.js';
export { DeliveryStore } from './delivery.store.js';
export { WebhookEndpointEntity } from './endpoint.entity.js';
export { WebhookModule } from './webhook.module.js';
export type { EndpointAddOutcome, ReplayOutcome, SecretRotateOutcome, UrlRefusal } from './webhook.outcome.js';
export { URL_REFUSALS } from './webhook.payload.js';
export type { WebhookDeliveryRow, WebhookEndpointRow } from './webhook.row.js';
export { MAX_ENDPOINTS, MAX_LISTED_DELIVERIES, OVERLAP_HOURS, WebhookService } from './webhook.service.js';
