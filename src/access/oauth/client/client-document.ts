import { NAME_LENGTH, outsideText } from '../../../edge/page/index.js';
import { orNone } from '../../../platform/kernel/or-none.js';
import { faultOfRedirectUri, isOnThisMachine } from './redirect-uri.js';

/** What an app that was not registered says of itself (draft-ietf-oauth-client-id-metadata-document, RFC 7591 section 2). */
export interface ClientDocument {
  /** With the host in every place where a person reads it, because the document is free to say any name. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const MAX_REDIRECT_URIS = 20;
/** So that a name has room for the whole host. */
const MAX_HOST = 48;
const SECRETS = ['client_secret', 'client_secret_expires_at'];

/** @returns a text if the document at `url` cannot be used. Fields that Sluice does not know are ignored */
export function documentIn(text: string, url: string): ClientDocument | string {
  const fields = objectIn(text);
  if (!fields) return 'it is no JSON object';
  const { client_id: id, client_name: name, redirect_uris: uris, token_endpoint_auth_method: method = 'none' } = fields;
  const { origin, host } = new URL(url);
  if (host.length > MAX_HOST) return `its host has more than ${MAX_HOST} characters`;
  if (id !== url) return 'its client_id is not its own address';
  if (SECRETS.some((secret) => secret in fields)) return 'it has a client_secret';
  if (method !== 'none') return 'its token_endpoint_auth_method is not none';
  if (name !== undefined && typeof name !== 'string') return 'its client_name is no text';
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    return `it does not have 1 to ${MAX_REDIRECT_URIS} redirect_uris`;
  const areOwn = uris.every(
    (uri) => typeof uri === 'string' && faultOfRedirectUri(uri) === undefined && (isOnThisMachine(uri) || new URL(uri).origin === origin),
  );
  if (!areOwn) return 'a redirect_uri is neither on the origin of the document nor on loopback';
  return { name: nameOf(name ?? '', host), redirectUris: uris as string[] };
}

/** Brackets of its own could pass for those of the host. */
function nameOf(name: string, host: string): string {
  const own = name.replace(/[\p{Ps}\p{Pe}]/gu, '').trim();
  return own === '' ? host : `${outsideText(own, NAME_LENGTH - host.length - 3)} (${host})`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = orNone(() => JSON.parse(text) as unknown);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : null;
}
