import type { ScopeCatalogue } from '../../../edge/auth/index.js';
import { isStorable, isWebAddress } from '../../../platform/kernel/text.js';
import { hasOffline, OFFLINE_SCOPES } from '../scope-text.js';
import { isDocumentUrl, isRegisteredId, type Client } from '../client/client.js';
import { faultOfRedirectUri } from '../client/redirect-uri.js';
import type { ApplicationEntity } from '../client/application.entity.js';

/** Grant types (RFC 6749 section 1.3); each has a file in token/grant-type/. Applications, the token endpoint and discovery read this list. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** The operator gives it, with service scopes (`client profile`): no application asks for it. */
const OF_SERVICES: GrantType = 'client_credentials';

export const hasGrantType = (client: Client, type: GrantType): boolean =>
  type === OF_SERVICES ? client.confidential && client.serviceScopes.length > 0 : client.grantTypes.includes(type);

/** What an application says of its app; the operator approves all of it. */
export const APPLICATION_FIELDS = [
  'name',
  'purpose',
  'homepage',
  'redirectUris',
  'scopes',
  'grantTypes',
  'confidential',
  'requirePkce',
] as const;
export type ApplicationField = (typeof APPLICATION_FIELDS)[number];
export type WantedApplication = Pick<ApplicationEntity, ApplicationField>;

type Needed = 'name' | 'redirectUris' | 'scopes';
/** Defaults: confidential, PKCE optional, `authorization_code`, and `refresh_token` if it may ask for `offline`. */
export type NewApplication = Pick<WantedApplication, Needed> & Partial<Omit<WantedApplication, Needed>> & { readonly id?: string };

export interface ApplicationFault {
  readonly field: ApplicationField | 'id';
  /** A sentence with the rule. */
  readonly text: string;
}

/** What differs from the approved version. `before` is null where no version is approved; one value is a list of one. */
export interface ApplicationChange {
  readonly field: ApplicationField;
  readonly before: readonly string[] | null;
  readonly after: readonly string[];
}

const MAX_NAME = 100;
export const PURPOSE_LENGTH = { min: 20, max: 500 } as const;
export const MAX_REDIRECT_URIS = 20;

const blank = (text: string | null | undefined): string | null => text?.trim() || null;

export function wantedOf(wanted: NewApplication): WantedApplication {
  const offline = hasOffline(wanted.scopes);
  const confidential = wanted.confidential ?? true;
  return {
    name: wanted.name.trim(),
    purpose: blank(wanted.purpose),
    homepage: blank(wanted.homepage),
    redirectUris: [...new Set(wanted.redirectUris)],
    scopes: [...new Set([...wanted.scopes, ...(offline ? OFFLINE_SCOPES : [])])],
    grantTypes: [...new Set(wanted.grantTypes ?? ['authorization_code', ...(offline ? ['refresh_token'] : [])])],
    confidential,
    requirePkce: !confidential || (wanted.requirePkce ?? false),
  };
}

/** Everything that is wrong. @param needsPurpose false for an app of the operator */
export function faultsOf(id: string, wanted: WantedApplication, catalogue: ScopeCatalogue, needsPurpose: boolean): ApplicationFault[] {
  const faults: ApplicationFault[] = [];
  const fault = (field: ApplicationFault['field'], text: string): void => void faults.push({ field, text });
  const { name, purpose, homepage, redirectUris, scopes, grantTypes } = wanted;
  if (isDocumentUrl(id)) fault('id', 'The document at this address describes the app: it is changed there.');
  else if (!isRegisteredId(id)) fault('id', 'The id must have 1 to 64 letters, digits, _ and -.');
  if (name === '' || name.length > MAX_NAME) fault('name', `The name must have 1 to ${MAX_NAME} characters.`);
  if (!isStorable(name)) fault('name', 'The name must not contain U+0000 or half of a character.');
  const length = purpose?.length ?? 0;
  if ((needsPurpose || purpose !== null) && (length < PURPOSE_LENGTH.min || length > PURPOSE_LENGTH.max))
    fault('purpose', `The purpose must have ${PURPOSE_LENGTH.min} to ${PURPOSE_LENGTH.max} characters. It has ${length}.`);
  if (purpose !== null && !isStorable(purpose)) fault('purpose', 'The purpose must not contain U+0000 or half of a character.');
  if (homepage !== null && !isWebAddress(homepage))
    fault('homepage', 'The homepage must start with https:// or http://, and have no user name.');
  if (redirectUris.length === 0 || redirectUris.length > MAX_REDIRECT_URIS)
    fault('redirectUris', `Between 1 and ${MAX_REDIRECT_URIS} callback URLs are required.`);
  for (const uri of redirectUris) {
    const text = faultOfRedirectUri(uri);
    if (text) fault('redirectUris', `The callback URL ${JSON.stringify(uri.slice(0, 200))} ${text}.`);
  }
  if (scopes.length === 0) fault('scopes', 'At least one scope is required.');
  for (const scope of scopes) if (!catalogue.find(scope)) fault('scopes', `Unknown scope ${JSON.stringify(scope)}.`);
  for (const type of grantTypes)
    if (!GRANT_TYPES.some((known) => known === type && known !== OF_SERVICES))
      fault('grantTypes', `Unknown grant type ${JSON.stringify(type)}.`);
  if (!grantTypes.includes('authorization_code')) fault('grantTypes', 'The grant type authorization_code is required.');
  if (hasOffline(scopes) && !grantTypes.includes('refresh_token'))
    fault('grantTypes', 'The scope offline requires the grant type refresh_token.');
  return faults;
}

function valuesOf(value: WantedApplication[ApplicationField]): readonly string[] {
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return value === null ? [] : typeof value === 'string' ? [value] : value;
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean => some.every((each) => all.includes(each));

export const changesOf = (client: WantedApplication | null, wanted: WantedApplication): ApplicationChange[] =>
  APPLICATION_FIELDS.flatMap((field) => {
    const [before, after] = [client && valuesOf(client[field]), valuesOf(wanted[field])];
    return before && isWithin(before, after) && isWithin(after, before) ? [] : [{ field, before, after }];
  });

export type ClientLists = Pick<Client, 'redirectUris' | 'scopes' | 'grantTypes'>;

/** The lists of the approved version without what is removed: that needs no approval. A list that gains something else waits as a whole. */
export function reducedOf(client: Client, wanted: WantedApplication): ClientLists {
  const keptOf = (list: keyof ClientLists): readonly string[] => (isWithin(wanted[list], client[list]) ? wanted[list] : client[list]);
  return { redirectUris: keptOf('redirectUris'), scopes: keptOf('scopes'), grantTypes: keptOf('grantTypes') };
}
