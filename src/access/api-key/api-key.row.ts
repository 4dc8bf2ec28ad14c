import { columns, type RowOf } from '../../platform/database/index.js';
import { ApiKeyEntity, ApiKeyRefusalEntity } from './api-key.entity.js';

export const KEY_COLUMNS = columns(ApiKeyEntity).except('keyHash');

/** A key as its owner sees it. The secret is shown once, when the key is created. */
export interface ApiKeyRow extends RowOf<typeof KEY_COLUMNS> {
  readonly expired: boolean;
  readonly revoked: boolean;
}

export const REFUSAL_COLUMNS = columns(ApiKeyRefusalEntity).except('apiKeyId');

export type ApiKeyRefusalRow = RowOf<typeof REFUSAL_COLUMNS>;
