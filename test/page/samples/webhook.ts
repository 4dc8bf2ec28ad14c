import { MAX_LISTED_DELIVERIES, type WebhookDeliveryRow, type WebhookEndpointRow } from '../../../src/money/webhook/index.js';
import { SAMPLE_SECRET } from './access.js';
import * as view from './views.js';
import { at, dashboard, HOSTILE, ID, sample, shell, type Sample } from './sample.js';

const endpoint: WebhookEndpointRow = {
  id: ID,
  url: 'https://shop.example/hooks/payments?shop=riverside',
  previousUntil: null,
  apiKeyId: null,
  apiKeyName: null,
  waiting: 2,
  createdAt: at('2026-08-02T10:00:00Z'),
  disabledAt: null,
  lastAttemptAt: at('2026-11-21T08:42:07Z'),
  lastStatus: 204,
  lastError: null,
  failingSince: null,
};
const disabled: WebhookEndpointRow = {
  ...endpoint,
  waiting: 0,
  disabledAt: at('2026-11-21T08:42:07Z'),
  failingSince: at('2026-11-21T08:42:07Z'),
  lastStatus: 410,
  lastError: 'status',
};
const failing: WebhookEndpointRow = {
  ...endpoint,
  waiting: 10_000,
  failingSince: at('2026-11-19T19:30:00Z'),
  lastStatus: null,
  lastError: 'timeout',
};
const untried: WebhookEndpointRow = { ...endpoint, apiKeyId: ID, waiting: 0, lastAttemptAt: null, lastStatus: null };
const rotated: WebhookEndpointRow = {
  ...endpoint,
  apiKeyId: ID,
  apiKeyName: 'Checkout',
  previousUntil: at('2026-11-22T08:00:00Z'),
  waiting: 0,
};
const hostile = [HOSTILE.markup, HOSTILE.bidi, HOSTILE.long].map((text): WebhookEndpointRow => ({
  ...endpoint,
  apiKeyId: ID,
  apiKeyName: text,
  url: `https://shop.example/${text}`,
}));

const delivery: WebhookDeliveryRow = {
  id: ID,
  endpointId: ID,
  sequence: 4_201n,
  eventType: 'receive.lightning',
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastStatus: 204,
  lastError: null,
  lastAttemptAt: at('2026-11-21T08:42:07Z'),
  createdAt: at('2026-11-21T08:42:06Z'),
  endedAt: at('2026-11-21T08:42:07Z'),
};
const waiting: WebhookDeliveryRow = { ...delivery, state: 'waiting', endedAt: null, nextAttemptAt: at('2026-11-21T09:12:00Z') };
const deliveries: readonly WebhookDeliveryRow[] = [
  { ...waiting, attempts: 0, lastStatus: null, lastAttemptAt: null, eventType: 'send.intraledger' },
  { ...waiting, attempts: 3, lastStatus: 503, lastError: 'status', eventType: 'send.lightning' },
  { ...waiting, attempts: 1, lastStatus: null, lastError: 'timeout' },
  delivery,
  { ...delivery, state: 'failed', attempts: 9, lastStatus: null, lastError: 'unreachable' },
  { ...delivery, state: 'failed', attempts: 0, lastStatus: null, lastError: 'queue_full' },
  { ...delivery, state: 'failed', attempts: 1, lastStatus: 410, lastError: 'status' },
  { ...delivery, state: 'failed', attempts: 2, lastStatus: 503, lastError: 'endpoint_disabled' },
];
const full = Array.from({ length: MAX_LISTED_DELIVERIES }, () => delivery);
const model: view.WebhookModel = { frame: shell, endpoint, deliveries, replay: null };

/** The webhook endpoints of a person, and what was delivered to them. */
export const WEBHOOK_SAMPLES: readonly Sample[] = [
  sample('webhooks', dashboard, view.webhooksPage(shell, [endpoint, rotated, failing, disabled, untried], false)),
  sample('webhooks-deleted', dashboard, view.webhooksPage(shell, [endpoint], true)),
  sample('webhooks-empty', dashboard, view.webhooksPage(shell, [], false)),
  sample('webhooks-hostile', dashboard, view.webhooksPage(shell, hostile, false)),
  sample('webhook-new', dashboard, view.webhookNewPage(shell, '', null)),
  sample(
    'webhook-new-refused',
    dashboard,
    view.webhookNewPage(shell, 'https://10.0.0.1/', { kind: 'refused', reason: 'address_not_public' }),
    422,
  ),
  sample('webhook-new-too-many', dashboard, view.webhookNewPage(shell, endpoint.url, { kind: 'too_many' }), 422),
  sample('webhook', dashboard, view.webhookPage(model)),
  sample('webhook-disabled', dashboard, view.webhookPage({ ...model, endpoint: disabled })),
  sample('webhook-failing', dashboard, view.webhookPage({ ...model, endpoint: failing })),
  sample('webhook-new-secret', dashboard, view.webhookPage({ ...model, endpoint: rotated, replay: 'replayed' })),
  sample('webhook-full', dashboard, view.webhookPage({ ...model, deliveries: full, replay: 'too_many' })),
  sample('webhook-nothing-delivered', dashboard, view.webhookPage({ ...model, endpoint: untried, deliveries: [], replay: 'not_found' })),
  sample('webhook-hostile', dashboard, view.webhookPage({ ...model, endpoint: hostile[0] ?? endpoint, replay: 'waiting' })),
  sample('webhook-secret', dashboard, view.webhookSecretPage(shell, endpoint, SAMPLE_SECRET)),
  sample('webhook-secret-shown', dashboard, view.webhookSecretPage(shell, endpoint, null)),
  sample('webhook-delete', dashboard, view.deleteWebhookPage(shell, endpoint)),
];
