import type { ClientState } from './client.entity.js';

/** An app as the authorization server knows it. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** It can keep a secret; a public client proves itself by PKCE alone. */
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  /** All it may request. */
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly requirePkce: boolean;
  /** The operator has checked who runs it. */
  readonly verified: boolean;
  /** A first-party app that may create and revoke API keys. */
  readonly trusted: boolean;
  /** Its registered home page, for people whose request ended. */
  readonly homepage: string | null;
  readonly state: ClientState;
}

/** A {@link Client} as one JSON value, for statements that join `oauth_client c`. */
export const CLIENT_JSON = `jsonb_build_object('id', c.id, 'name', c.name, 'confidential', c.confidential, 'redirectUris', c.redirect_uris,
  'scopes', c.scopes, 'grantTypes', c.grant_types, 'requirePkce', c.require_pkce, 'verified', c.verified, 'trusted', c.trusted,
  'homepage', c.homepage, 'state', c.state)`;

/** Characters of an id: form-encoding changes none, and PostgreSQL can store all. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** What people see of a redirect URI: its host, or the scheme of a native app. */
export function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}
