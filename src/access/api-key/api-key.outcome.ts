import type { ApiKeyRow } from './api-key.row.js';

/** One invalid field of a new key. */
export interface ApiKeyFault {
  readonly field: 'name' | 'scopes' | 'expireInDays' | 'limitSats';
  readonly message: string;
}

export type ApiKeyCreateOutcome =
  /** The secret is the key itself: it is shown only now. */
  | { readonly kind: 'created'; readonly apiKey: ApiKeyRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly faults: readonly [ApiKeyFault, ...ApiKeyFault[]] }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The app that requested the key was disconnected meanwhile. */
  | { readonly kind: 'disconnected' };

export type ApiKeyRevokeOutcome = { readonly kind: 'revoked'; readonly apiKey: ApiKeyRow } | { readonly kind: 'not_found' };

/** Of another person's key: `not_found`. */
export type ApiKeyLimitOutcome =
  | { readonly kind: 'changed'; readonly apiKey: ApiKeyRow }
  /** No window was changed. */
  | { readonly kind: 'invalid' }
  /** The key was revoked, or has expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'not_found' };
