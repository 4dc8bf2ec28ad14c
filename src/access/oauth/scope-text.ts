import type { ScopeCatalogue } from '../../edge/auth/index.js';
import type { Client } from './client/client.js';
import { OAuthError } from './oauth-error.js';

const MAX_SCOPE_TEXT = 1_000;
const SYNTAX = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** The names in a `scope` parameter (RFC 6749 section 3.3), without duplicates, in order. @throws OAuthError invalid_scope */
export function scopesIn(text: string): readonly string[] {
  if (text.length > MAX_SCOPE_TEXT || !SYNTAX.test(text))
    throw new OAuthError(
      'invalid_scope',
      `scope must have at most ${MAX_SCOPE_TEXT} characters, only those that RFC 6749 section 3.3 allows`,
    );
  return [...new Set(text.split(' ').filter(Boolean))];
}

/** OpenID software asks for them by default. */
const USER_SCOPES: readonly string[] = ['profile', 'email'];

/**
 * The names of a request without those that the server ignores (RFC 6749 section 3.3): unknown ones, and those about the person that the
 * client is not registered for. The response says which are granted. @throws OAuthError invalid_scope if nothing else was asked for
 */
export function askedScopesIn(text: string, client: Client, catalogue: ScopeCatalogue): readonly string[] {
  const asked = scopesIn(text);
  const left = asked.filter((scope) => catalogue.find(scope) && (client.scopes.includes(scope) || !USER_SCOPES.includes(scope)));
  if (asked.length > 0 && left.length === 0) throw new OAuthError('invalid_scope', 'scope has no scope that this client may ask for');
  return left;
}

/** One permission under two names: the compatible service's and OpenID Connect's. */
export const OFFLINE_SCOPES: readonly string[] = ['offline', 'offline_access'];

export const hasOffline = (scopes: readonly string[]): boolean => scopes.some((scope) => OFFLINE_SCOPES.includes(scope));
