import { columns, type RowOf } from '../../platform/database/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

export const KEY_COLUMNS = columns(ApiKeyEntity).except('keyHash', 'previousHash', 'previousUntil', 'grantId');

/** A key as its owner sees it. The secret is shown once, when the key is created. */
export interface ApiKeyRow extends RowOf<typeof KEY_COLUMNS> {
  readonly expired: boolean;
  readonly revoked: boolean;
  /** Until when the secret of before the last roll works; null: it works no more, or there is none. */
  readonly previousUntil: Date | null;
}

export interface ApiKeyFault {
  readonly field: 'name' | 'scopes' | 'expireInDays' | 'limitSats' | 'askAbovePaymentSats' | 'askAboveDaySats' | 'manageCallbacks';
  readonly message: string;
}

export type ApiKeyCreateOutcome =
  | { readonly kind: 'created'; readonly apiKey: ApiKeyRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly faults: readonly [ApiKeyFault, ...ApiKeyFault[]] }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The app that requested the key was disconnected meanwhile. */
  | { readonly kind: 'disconnected' };

/** The new secret is shown only now. A key that has ended is not rolled. */
export type ApiKeyRollOutcome =
  { readonly kind: 'rolled'; readonly apiKey: ApiKeyRow; readonly secret: string } | { readonly kind: 'not_found' | 'invalid' };

export type ApiKeyRevokeOutcome = { readonly kind: 'revoked'; readonly apiKey: ApiKeyRow } | { readonly kind: 'not_found' };

export type ApiKeyLimitOutcome =
  | { readonly kind: 'changed'; readonly apiKey: ApiKeyRow }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'of_owner' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'not_found' };
