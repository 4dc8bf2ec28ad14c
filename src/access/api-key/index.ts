export { ApiKeyEntity } from './api-key.entity.js';
export { ApiKeyModule } from './api-key.module.js';
export type { ApiKeyCreateOutcome } from './api-key.outcome.js';
export type { ApiKeyRow } from './api-key.outcome.js';
export { MAX_KEY_NAME, type NewApiKey } from './key-rules.js';
export { ApiKeySettings } from './api-key.settings.js';
export { ApiKeyService, MAX_KEYS, OVERLAPS, type ChosenKeys } from './api-key.service.js';
