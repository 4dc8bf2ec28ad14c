import { Injectable } from '@nestjs/common';
import { columns, Database, queryOne, sql } from '../../../platform/database/index.js';
import { isWebAddress } from '../../../platform/kernel/text.js';
import { ApplicationLog, type Actor } from './application-log.js';
import { walletBudgetsIn } from '../authorization-details.js';
import { isClientId, type Client } from '../client/client.js';
import { ClientEntity, ID_TOKEN_ALGS } from '../client/client.entity.js';
import { faultOfRedirectUri } from '../client/redirect-uri.js';
import { OAuthError } from '../oauth-error.js';

const DEFAULTS = {
  authMethod: 'secret',
  jwks: null,
  jwksUri: null,
  requirePar: false,
  requireDpop: false,
  idTokenAlg: 'RS256',
  resource: null,
  serviceScopes: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  authorizationDetails: [],
} satisfies Partial<ClientEntity>;
const FIELDS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

/** What the operator sets for one client beyond what its application asks for. */
export type ClientProfile = Pick<ClientEntity, keyof typeof DEFAULTS>;

export const DEFAULT_PROFILE: ClientProfile = DEFAULTS;

/** A public client has no authentication, whatever method is stored. */
type ShownProfile = Omit<ClientProfile, 'authMethod'> & { readonly authMethod: ClientProfile['authMethod'] | 'none' };

export type ProfileOutcome =
  | { readonly kind: 'changed'; readonly profile: ShownProfile }
  | { readonly kind: 'not_found' }
  /** Sentences with the rules. */
  | { readonly kind: 'invalid'; readonly faults: readonly string[] }
  /** Another client is the service of this address. */
  | { readonly kind: 'resource_taken' };

const PROFILE = columns(ClientEntity).only(...FIELDS);
type StoredClient = ClientProfile & Pick<Client, 'confidential' | 'name'>;

const LOCK = sql`SELECT ${PROFILE.of('c')}, c.confidential, c.name FROM oauth_client c WHERE c.id = $1 FOR NO KEY UPDATE`;
const TAKEN = sql`SELECT EXISTS (SELECT FROM oauth_client WHERE resource = $2 AND id <> $1) AS taken`;
const SET = sql`UPDATE oauth_client c SET (${PROFILE.names}) = ROW (${PROFILE.parameters(2)}) WHERE c.id = $1`;
const SERVICE_SCOPE = /^[a-z][a-z0-9_.:-]{0,63}$/;

const JWKS_RULE = '--jwks must be a JSON object with "keys", a list of at least one public key of type RSA, EC or OKP.';

/** A secret part would be stored, and stand in the log of operators. */
const isPublicKey = (key: unknown): boolean =>
  typeof key === 'object' && key !== null && 'kty' in key && ['RSA', 'EC', 'OKP'].includes(String(key.kty)) && !('d' in key);

const hasPublicKeys = ({ keys }: { readonly keys?: unknown }): boolean => Array.isArray(keys) && keys.length > 0 && keys.every(isPublicKey);

/** Everything that is wrong with a profile. */
export function profileFaults({ confidential, ...profile }: Omit<StoredClient, 'name'>): string[] {
  const { authMethod, jwks, jwksUri, idTokenAlg, resource, serviceScopes, postLogoutRedirectUris, backchannelLogoutUri } = profile;
  const addresses = { 'jwks-uri': jwksUri, resource, 'backchannel-logout-uri': backchannelLogoutUri };
  const needsSecret = authMethod !== 'secret' || resource !== null || serviceScopes.length > 0;
  const isJwt = authMethod === 'private_key_jwt';
  const rules: readonly (readonly [boolean, string])[] = [
    [needsSecret && !confidential, 'A public app has no authentication, no resource and no service scopes.'],
    [isJwt && (jwks === null) === (jwksUri === null), 'private_key_jwt needs --jwks or --jwks-uri, not both.'],
    [!isJwt && (jwks !== null || jwksUri !== null), '--jwks and --jwks-uri are for --auth-method private_key_jwt.'],
    [!['secret', 'private_key_jwt'].includes(authMethod), '--auth-method must be secret or private_key_jwt.'],
    [!ID_TOKEN_ALGS.includes(idTokenAlg), `--id-token-alg must be one of ${ID_TOKEN_ALGS.join(', ')}.`],
    [jwks !== null && !hasPublicKeys(jwks), JWKS_RULE],
    [serviceScopes.some((scope) => !SERVICE_SCOPE.test(scope)), '--service-scope must have lower-case letters, digits and _ . : -'],
  ];
  return [
    ...rules.flatMap(([isBroken, text]) => (isBroken ? [text] : [])),
    ...Object.entries(addresses).flatMap(([name, url]) => (url === null || isWebAddress(url) ? [] : [`--${name} must be a web address.`])),
    ...detailsFaults(profile.authorizationDetails),
    ...postLogoutRedirectUris.flatMap((uri) => {
      const fault = faultOfRedirectUri(uri);
      return fault ? [`The address ${JSON.stringify(uri.slice(0, 200))} ${fault}.`] : [];
    }),
  ];
}

/** An empty list is no default. */
function detailsFaults(details: unknown): string[] {
  if (Array.isArray(details) && details.length === 0) return [];
  try {
    walletBudgetsIn(details);
    return [];
  } catch (error) {
    if (error instanceof OAuthError) return [`${error.message}.`];
    throw error;
  }
}

@Injectable()
export class ClientProfiles {
  constructor(
    private readonly database: Database,
    private readonly log: ApplicationLog,
  ) {}

  set(id: string, change: Partial<ClientProfile>, by: Actor): Promise<ProfileOutcome> {
    return this.database.transaction(async (tx): Promise<ProfileOutcome> => {
      const [stored] = isClientId(id) ? await tx.query<StoredClient>(LOCK, [id]) : [];
      if (!stored) return { kind: 'not_found' };
      const { confidential, name, ...before } = stored;
      const profile = { ...before, ...change };
      const faults = profileFaults({ ...profile, confidential });
      if (faults.length > 0) return { kind: 'invalid', faults };
      if (profile.resource !== null && (await queryOne<{ taken: boolean }>(tx, TAKEN, [id, profile.resource])).taken)
        return { kind: 'resource_taken' };
      const stores = {
        ...profile,
        jwks: profile.jwks && JSON.stringify(profile.jwks),
        authorizationDetails: JSON.stringify(profile.authorizationDetails),
      };
      await tx.query(SET, [id, ...FIELDS.map((field) => stores[field])]);
      if (Object.keys(change).length > 0) await this.log.record(tx, { action: 'client profile', id, by, details: { name, ...change } });
      return { kind: 'changed', profile: confidential ? profile : { ...profile, authMethod: 'none' } };
    });
  }
}
