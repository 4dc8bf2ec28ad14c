import type { ScopeCatalogue } from '../../../edge/auth/index.js';
import { isWebAddress } from '../../../platform/kernel/text.js';
import { hasOffline, OFFLINE_SCOPES } from '../scope-text.js';
import { isClientId } from './client.js';
import { faultOfRedirectUri } from './redirect-uri.js';

/** Grant types (RFC 6749 section 1.3); each has a file in token/grant-type/. Registration, the token endpoint and discovery read this list. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

export type GrantType = (typeof GRANT_TYPES)[number];

export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly id?: string;
  readonly confidential?: boolean;
  /** Default: `authorization_code`, and `refresh_token` if it may request `offline`. */
  readonly grantTypes?: readonly string[];
  /** Default: no. Always true for public clients. */
  readonly requirePkce?: boolean;
  readonly verified?: boolean;
  readonly trusted?: boolean;
  readonly homepage?: string | null;
}

export type ClientRegistration = Required<Omit<NewClient, 'id'>>;

const MAX_NAME = 100;

export function registrationOf(wanted: NewClient): ClientRegistration {
  const offline = hasOffline(wanted.scopes);
  const confidential = wanted.confidential ?? true;
  return {
    name: wanted.name.trim(),
    redirectUris: [...new Set(wanted.redirectUris)],
    scopes: [...new Set([...wanted.scopes, ...(offline ? OFFLINE_SCOPES : [])])],
    confidential,
    grantTypes: wanted.grantTypes ?? ['authorization_code', ...(offline ? ['refresh_token'] : [])],
    requirePkce: !confidential || (wanted.requirePkce ?? false),
    verified: wanted.verified ?? false,
    trusted: wanted.trusted ?? false,
    homepage: wanted.homepage ?? null,
  };
}

export function faultsOf(id: string, wanted: ClientRegistration, catalogue: ScopeCatalogue): string[] {
  const faults: string[] = [];
  if (!isClientId(id)) faults.push('The id must have 1 to 64 letters, digits, _ and -.');
  if (wanted.name === '' || wanted.name.length > MAX_NAME) faults.push(`The name must have 1 to ${MAX_NAME} characters.`);
  if (wanted.name.includes('\0')) faults.push('The name must not contain U+0000.');
  if (wanted.redirectUris.length === 0) faults.push('At least one redirect address is required.');
  for (const uri of wanted.redirectUris) {
    const fault = faultOfRedirectUri(uri);
    if (fault) faults.push(`The redirect address ${JSON.stringify(uri.slice(0, 200))} ${fault}.`);
  }
  if (wanted.scopes.length === 0) faults.push('At least one scope is required.');
  for (const scope of wanted.scopes) if (!catalogue.find(scope)) faults.push(`Unknown scope ${JSON.stringify(scope)}.`);
  for (const type of wanted.grantTypes)
    if (!GRANT_TYPES.some((known) => known === type)) faults.push(`Unknown grant type ${JSON.stringify(type)}.`);
  if (wanted.scopes.includes('offline') && !wanted.grantTypes.includes('refresh_token'))
    faults.push('The scope offline requires the grant type refresh_token.');
  if (wanted.homepage !== null && !isWebAddress(wanted.homepage)) faults.push('The homepage must start with https:// or http://.');
  return faults;
}
