import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import Custom from 'passport-custom';
import { Authenticator, CredentialUsage, type Credential, type Principal, type Usage } from '../../../edge/auth/index.js';
import { Database, fragment, sql } from '../../../platform/database/index.js';
import { AccessTokens } from './access-tokens.js';

// Times are passed as ages: the stored time is the database's. Rows are locked by id, so that two processes cannot deadlock.
const USED = sql`WITH usage AS (SELECT * FROM unnest($1::uuid[], $2::float8[]) AS u (id, age)),
              locked AS (SELECT id FROM oauth_grant WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
         UPDATE oauth_grant g SET last_used_at = greatest(g.last_used_at, now() - make_interval(secs => usage.age))
           FROM usage JOIN locked USING (id) WHERE g.id = usage.id`;

const VALID_GRANTS = fragment`SELECT g.id FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id
                   WHERE g.id = ANY ($1::uuid[]) AND g.revoked_at IS NULL AND c.state = 'approved'`;

/** `Oauth2-Token`: an app that acts for a person, within the scopes of its grant. */
@Injectable()
export class Oauth2TokenStrategy extends PassportStrategy(Custom, 'oauth2-token') implements OnModuleInit {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly usage: CredentialUsage,
    private readonly tokens: AccessTokens,
    private readonly database: Database,
  ) {
    super();
  }

  onModuleInit(): void {
    this.authenticator.use('oauth2-token', this, VALID_GRANTS);
    this.usage.store('oauth2-token', (usage) => this.store(usage));
  }

  validate({ secret }: Credential): Promise<Principal | false> {
    return this.tokens.find(secret);
  }

  /** One statement per second for all grants, none per request. */
  private async store(usage: ReadonlyMap<string, Readonly<Usage>>): Promise<void> {
    const now = Date.now();
    const used = [...usage].flatMap(([id, { usedAt }]) => (usedAt ? [{ id, age: (now - usedAt.getTime()) / 1000 }] : []));
    if (used.length > 0) await this.database.query(USED, [used.map(({ id }) => id), used.map(({ age }) => age)]);
  }
}
