import { Injectable } from '@nestjs/common';
import { apiResourceOf } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import type { Form } from '../../../edge/page/index.js';
import { OAuthError } from '../oauth-error.js';

/** The addresses of the services that a token is for; null: the API alone. */
export type Audience = readonly string[] | null;

const MAX_RESOURCES = 10;
const ADDRESS = /^[\x21-\x7e]{1,2000}$/;
const KNOWN = sql`SELECT c.resource FROM oauth_client c WHERE c.resource = ANY ($1) AND c.state = 'approved'`;

export const invalidTarget = (): OAuthError => new OAuthError('invalid_target', 'resource is not a service that this token may be for');

/** The `resource` parameters; null: none. @throws OAuthError invalid_target if one cannot be an address */
export function askedResources(parameters: Form): readonly string[] | null {
  const asked = [...new Set(parameters.list('resource').filter(Boolean))];
  if (asked.length > MAX_RESOURCES || !asked.every((address) => ADDRESS.test(address))) throw invalidTarget();
  return asked.length === 0 ? null : asked;
}

/** Resource indicators (RFC 8707): the API, and the services of the operator, each registered as a client. */
@Injectable()
export class Resources {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  get api(): string {
    return apiResourceOf(this.config);
  }

  /** What an authorization request asks for. @throws OAuthError invalid_target if it names an unknown service */
  async audienceOf(parameters: Form): Promise<Audience> {
    const asked = askedResources(parameters);
    if (asked === null) return null;
    const others = asked.filter((address) => address !== this.api);
    const rows = others.length === 0 ? [] : await this.database.query<{ resource: string }>(KNOWN, [others]);
    const known = new Set(rows.map(({ resource }) => resource));
    if (!others.every((address) => known.has(address))) throw invalidTarget();
    return this.stored(asked);
  }

  /** What a token is for: all that was granted, or the part that the client asks for. @throws OAuthError invalid_target for more */
  narrowed(granted: Audience, asked: readonly string[] | null): Audience {
    const all = granted ?? [this.api];
    if (asked?.some((address) => !all.includes(address))) throw invalidTarget();
    return this.stored(asked ?? all);
  }

  private stored(addresses: readonly string[]): Audience {
    return addresses.length === 1 && addresses[0] === this.api ? null : addresses;
  }
}
