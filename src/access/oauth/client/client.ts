import { columns, type RowOf } from '../../../platform/database/index.js';
import { ClientEntity } from './client.entity.js';

const CLIENT = columns(ClientEntity).except('createdAt');

/** An app as the authorization server knows it. */
export type Client = RowOf<typeof CLIENT>;

/** A {@link Client} as one JSON value, for statements that join `oauth_client c`. */
export const CLIENT_JSON = CLIENT.json('c');

/** Characters of an id: form-encoding changes none, and PostgreSQL can store all. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** What people see of a redirect URI: its host, or the scheme of a native app. */
export function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}
