export { Attempts } from './attempts.js';
export { IdempotencyEntity } from './idempotency.entity.js';
export { IdempotencyModule } from './idempotency.module.js';
export { IdempotencyService } from './idempotency.service.js';
export { IdempotencySettings } from './idempotency.settings.js';
