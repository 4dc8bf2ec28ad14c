import type { ApiKeyRow } from './api-key.row.js';

export interface ApiKeyFault {
  readonly field: 'name' | 'scopes' | 'expireInDays' | 'limitSats';
  readonly message: string;
}

export type ApiKeyCreateOutcome =
  | { readonly kind: 'created'; readonly apiKey: ApiKeyRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly faults: readonly [ApiKeyFault, ...ApiKeyFault[]] }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The app that requested the key was disconnected meanwhile. */
  | { readonly kind: 'disconnected' };

export type ApiKeyRevokeOutcome = { readonly kind: 'revoked'; readonly apiKey: ApiKeyRow } | { readonly kind: 'not_found' };

export type ApiKeyLimitOutcome =
  | { readonly kind: 'changed'; readonly apiKey: ApiKeyRow }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'not_found' };
