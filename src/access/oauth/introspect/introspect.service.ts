import { Injectable } from '@nestjs/common';
import { apiResourceOf } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Database, fragment, sql } from '../../../platform/database/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import { isDisabled, isPaused } from '../../user/index.js';
import type { Client } from '../client/client.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { GrantService } from '../grant/grant.service.js';

interface LiveToken {
  readonly use: 'access_token' | 'refresh_token';
  readonly clientId: string;
  /** Null: a token of the client itself. */
  readonly userId: string | null;
  readonly scopes: readonly string[];
  /** What the client may have now. */
  readonly allowed: readonly string[];
  /** Null: a refresh token, which no service takes. */
  readonly audience: readonly string[] | null;
  /** The key that it is bound to. */
  readonly jkt: string | null;
  readonly authorizationDetails: GrantEntity['authorizationDetails'];
  readonly issuedSeconds: number;
  readonly expiresSeconds: number;
}

/** RFC 7662 section 2.2. */
type Introspection = { readonly active: boolean } & Readonly<Record<string, unknown>>;

const INACTIVE: Introspection = { active: false };

const PERSON = fragment`g.user_id`;
// Read each time, never kept: what has ended is inactive in the next answer of every process.
const FIND = sql`WITH shown AS (
              SELECT 'access_token' AS use, t.grant_id, t.client_id, t.scopes, coalesce(t.audience, ARRAY[$4::text]) AS audience, t.dpop_jkt AS jkt, t.created_at, t.expires_at
                FROM oauth_access_token t WHERE t.hash = $1
              UNION ALL
              SELECT 'refresh_token', r.grant_id, NULL, r.scopes, NULL, NULL, r.created_at, r.expires_at
                FROM oauth_refresh_token r WHERE r.hash = $1 AND r.used_at IS NULL)
         SELECT s.use, c.id AS "clientId", g.user_id AS "userId", s.scopes, s.audience, s.jkt, g.authorization_details AS "authorizationDetails",
                CASE WHEN g.id IS NULL THEN c.service_scopes ELSE c.scopes END AS allowed,
                extract(epoch FROM s.created_at)::float8 AS "issuedSeconds", extract(epoch FROM s.expires_at)::float8 AS "expiresSeconds"
           FROM shown s LEFT JOIN oauth_grant g ON g.id = s.grant_id JOIN oauth_client c ON c.id = coalesce(g.client_id, s.client_id)
          WHERE s.expires_at > now() AND (c.id = $2 OR $3::text = ANY (s.audience))
            AND c.state IN ('approved', 'test') AND NOT ${isPaused(PERSON)}
            AND (g.id IS NULL AND s.scopes && c.service_scopes
              OR g.revoked_at IS NULL AND g.absolute_expires_at > now() AND NOT ${isDisabled(PERSON)}
                 AND (s.use = 'access_token' OR 'refresh_token' = ANY (c.grant_types)))`;

@Injectable()
export class IntrospectService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly grants: GrantService,
  ) {}

  /** A client sees its own tokens, and access tokens for the service that it is: all others are as unknown to it. */
  async introspect(client: Client, token: string): Promise<Introspection> {
    const { tokenPrefix, issuerUrl } = this.config;
    if (!['at', 'rt'].some((kind) => isWellFormedToken(token, `${tokenPrefix}_${kind}`))) return INACTIVE;
    const [live] = await this.database.query<LiveToken>(FIND, [hashToken(token), client.id, client.resource, apiResourceOf(this.config)]);
    if (!live) return INACTIVE;
    const { use, clientId, userId, allowed, audience, jkt, issuedSeconds, expiresSeconds } = live;
    const scopes = live.scopes.filter((scope) => allowed.includes(scope));
    const iat = Math.floor(issuedSeconds);
    return {
      active: true,
      iss: issuerUrl,
      client_id: clientId,
      ...(userId !== null && { sub: userId }),
      scope: scopes.join(' '),
      iat,
      nbf: iat,
      exp: Math.floor(expiresSeconds),
      token_use: use,
      ...(audience !== null && { token_type: jkt === null ? 'Bearer' : 'DPoP', aud: audience }),
      ...(jkt !== null && { cnf: { jkt } }),
      ...(userId !== null && (await this.grants.detailsOf({ ...live, userId }, scopes))),
    };
  }
}
