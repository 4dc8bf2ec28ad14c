import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../../edge/auth/index.js';
import { Config } from '../../../../platform/config/index.js';
import { Database, queryOne, sql } from '../../../../platform/database/index.js';
import { hashToken, mintToken } from '../../../../platform/kernel/token.js';
import type { Form } from '../../../../edge/page/index.js';
import type { Client } from '../../client/client.js';
import { OAuthError } from '../../oauth-error.js';
import { OAuthSettings } from '../../oauth.settings.js';
import { Resources } from '../../request/resources.js';
import { scopesIn } from '../../scope-text.js';
import { tokenTypeOf, type GrantTypeHandler, type TokenResponse } from '../grant-type-handler.js';

const ISSUE = sql`INSERT INTO oauth_access_token (hash, client_id, scopes, audience, dpop_jkt, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) RETURNING extract(epoch FROM expires_at - clock_timestamp())::float8 AS "leftSeconds"`;

/**
 * `grant_type=client_credentials` (RFC 6749 section 4.4): a token of a service of the operator, for another one. It has no person, so the
 * wallet API refuses it, and it comes without a refresh token.
 */
@Injectable()
export class ClientCredentialsHandler implements GrantTypeHandler {
  readonly type = 'client_credentials';

  constructor(
    private readonly database: Database,
    private readonly catalogue: ScopeCatalogue,
    private readonly resources: Resources,
    private readonly settings: OAuthSettings,
    private readonly config: Config,
  ) {}

  async issue(client: Client, parameters: Form, jkt: string | null): Promise<TokenResponse> {
    const scopes = this.scopesOf(client, parameters.text('scope'));
    const audience = await this.audienceOf(parameters);
    const token = mintToken(`${this.config.tokenPrefix}_at`);
    const values = [hashToken(token), client.id, scopes, audience, jkt, this.settings.ACCESS_TOKEN_SECONDS];
    const { leftSeconds } = await queryOne<{ leftSeconds: number }>(this.database, ISSUE, values);
    return { access_token: token, token_type: tokenTypeOf(jkt), expires_in: Math.floor(leftSeconds), scope: scopes.join(' ') };
  }

  /** Never the API, which is the default of tokens that a person has granted. */
  private async audienceOf(parameters: Form): Promise<readonly string[]> {
    const audience = await this.resources.audienceOf(parameters);
    if (audience !== null && !audience.includes(this.resources.api)) return audience;
    throw new OAuthError('invalid_target', 'resource must name the service that the token is for, and not the wallet API');
  }

  /** A scope that people grant is never one of a service, whatever the operator has typed. */
  private scopesOf({ serviceScopes }: Client, text: string): readonly string[] {
    const asked = scopesIn(text);
    if (asked.length > 0 && asked.every((scope) => serviceScopes.includes(scope) && !this.catalogue.find(scope))) return asked;
    throw new OAuthError('invalid_scope', 'scope must name service scopes that the operator has given to this client');
  }
}
