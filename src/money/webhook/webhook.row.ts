import { columns, type RowOf } from '../../platform/database/index.js';
import { WebhookDeliveryEntity } from './delivery.entity.js';
import { WebhookEndpointEntity } from './endpoint.entity.js';

export const ENDPOINT_COLUMNS = columns(WebhookEndpointEntity).only('id', 'url', 'previousUntil', 'waiting', 'createdAt');

/** An endpoint as its owner sees it. The secret is shown when it is made only. */
export type WebhookEndpointRow = RowOf<typeof ENDPOINT_COLUMNS>;

export const DELIVERY_COLUMNS = columns(WebhookDeliveryEntity).except('body');

export type WebhookDeliveryRow = RowOf<typeof DELIVERY_COLUMNS>;
