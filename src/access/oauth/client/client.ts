import { columns, type RowOf } from '../../../platform/database/index.js';
import { ClientEntity } from './client.entity.js';

const CLIENT = columns(ClientEntity).except('createdAt');

export type Client = RowOf<typeof CLIENT>;

export const CLIENT_JSON = CLIENT.json('c');

/** Of an app that was registered: form-encoding changes no character, and PostgreSQL can store all. */
export const isRegisteredId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

const MAX_DOCUMENT_URL = 255;

/**
 * Of an app that was not registered: the address of its document, as a URL parser writes it. So it has no dot segments, no default port and
 * no capitals in its host.
 */
export function isDocumentUrl(text: string): boolean {
  if (!/^https:\/\/[!-~]+$/.test(text) || text.length > MAX_DOCUMENT_URL || !URL.canParse(text)) return false;
  const { href, hostname, username, password } = new URL(text);
  const isAddress = /^\[|^[\d.]+$/.test(hostname);
  return href === text && !isAddress && username === '' && password === '' && !text.includes('#');
}

export const isClientId = (text: string): boolean => isRegisteredId(text) || isDocumentUrl(text);

export function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}

/** May it ask people, and act for them? A test client may for its owner only. */
export const isInUse = ({ state }: Pick<Client, 'state'>): boolean => state === 'approved' || state === 'test';
