import { Injectable } from '@nestjs/common';
import { CredentialCache, type Principal } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import type { GrantEntity } from '../grant/grant.entity.js';

interface StoredAccessToken extends Pick<GrantEntity, 'userId' | 'clientId' | 'scopes' | 'managesKeys'> {
  readonly grantId: string;
  readonly leftSeconds: number;
}

// Leaves out scopes that the client has lost since.
const LOOK_UP = sql`SELECT g.id AS "grantId", g.user_id AS "userId", g.client_id AS "clientId", c.trusted AND g.manages_keys AS "managesKeys", extract(epoch FROM t.expires_at - now())::float8 AS "leftSeconds",
                ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes
           FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_client c ON c.id = g.client_id
          WHERE t.hash = $1 AND t.expires_at > now() AND g.revoked_at IS NULL AND c.state = 'approved'`;

@Injectable()
export class AccessTokens {
  constructor(
    private readonly cache: CredentialCache,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** The principal of this token; false for unknown, expired, revoked, and any other kind of secret. Throws if that cannot be checked. */
  async find(token: string): Promise<Principal | false> {
    if (!isWellFormedToken(token, `${this.config.tokenPrefix}_at`)) return false;
    const hash = hashToken(token);
    return this.cache.find('oauth2-token', hash, async () => {
      const [stored] = await this.database.query<StoredAccessToken>(LOOK_UP, [hash]);
      if (!stored) return false;
      const { grantId: id, userId, clientId, scopes, managesKeys, leftSeconds } = stored;
      const expiresAt = Date.now() + leftSeconds * 1000;
      return { kind: 'oauth2-token', id, userId, clientId, managesKeys, scopes: new Set(scopes), expiresAt };
    });
  }
}
