export { Attempts } from './attempts.js';
export { IdempotencyModule } from './idempotency.module.js';
export { IdempotencyService } from './idempotency.service.js';
export { IdempotencySettings } from './idempotency.settings.js';
