import type { Addresses } from '../../platform/config/index.js';

/** Where metadata of a protected resource is (RFC 9728 section 3). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The wallet API as a protected resource: its identifier, which is the audience of its tokens (RFC 8707). */
export const apiResourceOf = ({ apiUrl }: Pick<Addresses, 'apiUrl'>): string => `${apiUrl}/graphql`;

/** The address of its metadata: the well-known path comes between host and path (RFC 9728 section 3.1). */
export function apiMetadataOf(config: Pick<Addresses, 'apiUrl'>): string {
  const { origin, pathname } = new URL(apiResourceOf(config));
  return `${origin}${RESOURCE_METADATA}${pathname}`;
}
