import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import type { Client } from '../client/client.js';
import { Log } from '../../../platform/logging/index.js';

// `token_type_hint` is only a hint: both tables are searched. A used refresh token ends its family too. A token without a person has none.
const REVOKE = sql`WITH alone AS (DELETE FROM oauth_access_token WHERE hash = $1 AND client_id = $2),
              shown AS (SELECT grant_id FROM oauth_refresh_token WHERE hash = $1 UNION ALL SELECT grant_id FROM oauth_access_token WHERE hash = $1),
              family AS (SELECT g.id, g.client_id = $2 AS own FROM oauth_grant g JOIN shown ON shown.grant_id = g.id)
         SELECT family.own, CASE WHEN family.own THEN EXISTS (SELECT FROM oauth_end_grants(ARRAY[family.id], 'revoked by the app')) ELSE false END AS ended
           FROM family`;

@Injectable()
export class RevokeService {
  private readonly log = new Log('OAuth');

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  /** Ends the whole grant, whichever of its tokens was sent: the client wants all access to end. Tokens of other clients stay. */
  async revoke(client: Client, token: string): Promise<void> {
    const { tokenPrefix } = this.config;
    if (!['rt', 'at'].some((kind) => isWellFormedToken(token, `${tokenPrefix}_${kind}`))) return;
    const [found] = await this.database.query<{ own: boolean; ended: boolean }>(REVOKE, [hashToken(token), client.id]);
    if (found?.ended) await this.events.delivered();
    if (found && !found.own)
      this.log.warn(
        'oauth_revocation_rejected',
        { clientId: client.id },
        `Client ${client.id} tried to revoke another client's token; it stays valid`,
      );
  }
}
