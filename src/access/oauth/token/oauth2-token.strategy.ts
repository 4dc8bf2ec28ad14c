import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import Custom from 'passport-custom';
import {
  apiResourceOf,
  AuthenticationError,
  Authenticator,
  CredentialUsage,
  type Credential,
  type Principal,
  type Usage,
} from '../../../edge/auth/index.js';
import { Database, fragment, sql } from '../../../platform/database/index.js';
import { Config } from '../../../platform/config/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import { isDisabled, isPaused } from '../../user/index.js';
import type { GrantEntity } from '../grant/grant.entity.js';

interface StoredAccessToken extends Pick<GrantEntity, 'userId' | 'clientId' | 'scopes' | 'audience' | 'managesKeys' | 'managesCallbacks'> {
  /** Of the grant. */
  readonly id: string;
  readonly expiresAt: number;
  readonly paused: boolean;
  readonly jkt: string | null;
}

const DISABLED = isDisabled(fragment`g.user_id`);
// Leaves out scopes that the client has lost since.
const LOOK_UP = sql`SELECT g.id, g.user_id AS "userId", g.client_id AS "clientId", t.audience, c.trusted AND g.manages_keys AS "managesKeys", c.trusted AND g.manages_callbacks AS "managesCallbacks", extract(epoch FROM t.expires_at)::float8 * 1000 AS "expiresAt", t.dpop_jkt AS jkt,
                ${isPaused(fragment`g.user_id`)} AS paused, ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes
           FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_client c ON c.id = g.client_id
          WHERE t.hash = $1 AND t.expires_at > now() AND g.revoked_at IS NULL AND c.state IN ('approved', 'test') AND NOT ${DISABLED}`;

// Times are passed as ages: the stored time is the database's. Rows are locked by id, so that two processes cannot deadlock.
const USED = sql`WITH usage AS (SELECT * FROM unnest($1::uuid[], $2::float8[]) AS u (id, age)),
              locked AS (SELECT id FROM oauth_grant WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
         UPDATE oauth_grant g SET last_used_at = greatest(g.last_used_at, now() - make_interval(secs => usage.age))
           FROM usage JOIN locked USING (id) WHERE g.id = usage.id`;

const VALID_GRANTS = fragment`SELECT g.id FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id
                   WHERE g.id = ANY ($1::uuid[]) AND g.revoked_at IS NULL AND c.state IN ('approved', 'test') AND NOT ${DISABLED}`;

/** `Oauth2-Token`: an app that acts for a person, within the scopes of its grant. */
@Injectable()
export class Oauth2TokenStrategy extends PassportStrategy(Custom, 'oauth2-token') implements OnModuleInit {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly usage: CredentialUsage,
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super();
  }

  onModuleInit(): void {
    this.authenticator.use('oauth2-token', this, VALID_GRANTS);
    this.usage.store('oauth2-token', (usage) => this.store(usage));
  }

  /** A token for other services alone is none here (RFC 8707 section 2.2). */
  async validate({ secret }: Credential): Promise<Principal | false> {
    const principal = await this.find(secret);
    return principal && (principal.audience?.includes(apiResourceOf(this.config)) ?? true) && principal;
  }

  /**
   * The principal of this token, whatever service it is for; false for unknown, expired, revoked, and any other kind of secret. Throws if that cannot be checked.
   * @throws AuthenticationError `accessPaused` while the person or the operator has paused access
   */
  async find(token: string): Promise<Principal | false> {
    if (!isWellFormedToken(token, `${this.config.tokenPrefix}_at`)) return false;
    const [stored] = await this.database.query<StoredAccessToken>(LOOK_UP, [hashToken(token)]);
    if (!stored) return false;
    if (stored.paused) throw new AuthenticationError('accessPaused');
    const { paused: _, scopes, audience, jkt, ...grant } = stored;
    return { kind: 'oauth2-token', ...grant, scopes: new Set(scopes), ...(audience && { audience }), ...(jkt !== null && { jkt }) };
  }

  /** One statement per second for all grants, none per request. */
  private async store(usage: ReadonlyMap<string, Readonly<Usage>>): Promise<void> {
    const now = Date.now();
    const used = [...usage].flatMap(([id, { usedAt }]) => (usedAt ? [{ id, age: (now - usedAt.getTime()) / 1000 }] : []));
    if (used.length > 0) await this.database.query(USED, [used.map(({ id }) => id), used.map(({ age }) => age)]);
  }
}
