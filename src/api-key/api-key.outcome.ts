import type { ApiKeyRow } from './api-key.row.js';

/** One thing about a new key that can be put right. */
export interface ApiKeyFault {
  readonly field: 'name' | 'scopes' | 'expireInDays';
  readonly message: string;
}

export type ApiKeyCreateOutcome =
  /** The secret is the key itself: shown now, and never again. */
  | { readonly kind: 'created'; readonly apiKey: ApiKeyRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly faults: readonly [ApiKeyFault, ...ApiKeyFault[]] }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The app that wanted to make it was disconnected at this moment. */
  | { readonly kind: 'disconnected' };

export type ApiKeyRevokeOutcome = { readonly kind: 'revoked'; readonly apiKey: ApiKeyRow } | { readonly kind: 'not_found' };
