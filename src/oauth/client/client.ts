import type { ClientState } from './client.entity.js';

/** An app as the authorization server knows it. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** It can keep a secret; others prove themselves by PKCE alone. */
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  /** All it may ask for. */
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly requirePkce: boolean;
  /** The operator has checked who runs it. */
  readonly verified: boolean;
  /** A first-party app that may make and revoke API keys. */
  readonly trusted: boolean;
  /** Registered address of its front page, for people whose request ended. */
  readonly homepage: string | null;
  readonly state: ClientState;
}

/** A {@link Client} as one JSON value, for statements that join `oauth_client c`. */
export const CLIENT_JSON = `jsonb_build_object('id', c.id, 'name', c.name, 'confidential', c.confidential, 'redirectUris', c.redirect_uris,
  'scopes', c.scopes, 'grantTypes', c.grant_types, 'requirePkce', c.require_pkce, 'verified', c.verified, 'trusted', c.trusted,
  'homepage', c.homepage, 'state', c.state)`;

/** What ids are made of: the same raw and form-encoded, and nothing that PostgreSQL could refuse. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** What people see of an address they are sent back to: its host, or the scheme of a native app. */
export function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}
