import { columns, type RowOf } from '../../../platform/database/index.js';
import { ClientEntity } from './client.entity.js';

const CLIENT = columns(ClientEntity).except('createdAt');

export type Client = RowOf<typeof CLIENT>;

export const CLIENT_JSON = CLIENT.json('c');

/** Characters of an id: form-encoding changes none, and PostgreSQL can store all. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

export function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}

/** May it ask people, and act for them? A test client may for its owner only. */
export const isInUse = ({ state }: Pick<Client, 'state'>): boolean => state === 'approved' || state === 'test';
