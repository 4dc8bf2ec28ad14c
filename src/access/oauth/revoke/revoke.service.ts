import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import { Database, queryOne, sql } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import { Log, RefusalLog } from '../../../platform/logging/index.js';
import type { Client } from '../client/client.js';

// `token_type_hint` is only a hint: both tables are searched. A used refresh token ends its family too. A token without a person has none.
const REVOKE = sql`WITH alone AS (DELETE FROM oauth_access_token WHERE hash = $1 AND client_id = $2),
              shown AS (SELECT grant_id FROM oauth_refresh_token WHERE hash = $1 UNION ALL SELECT grant_id FROM oauth_access_token WHERE hash = $1),
              family AS (SELECT g.id, g.client_id = $2 AS own FROM oauth_grant g JOIN shown ON shown.grant_id = g.id)
         SELECT family.own, CASE WHEN family.own THEN EXISTS (SELECT FROM oauth_end_grants(ARRAY[family.id], 'revoked by the app')) ELSE false END AS ended
           FROM family`;
const LEAKED = sql`SELECT oauth_leaked($1) AS ended`;
const TOKENS = ['_at', '_rt'];
/** Tokens, authorization code, secret of a client, session; an API key has no such mark. */
const SECRETS = [...TOKENS, '_ac', '_cs', '_st', ''];

/** Ends what a caller shows: a client its tokens, anyone a secret that was found in public. */
@Injectable()
export class RevokeService {
  private readonly log = new Log('OAuth');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  /** Ends the whole grant, whichever of its tokens was sent: the client wants all access to end. Tokens of other clients stay. */
  async revoke({ id: clientId }: Client, token: string): Promise<void> {
    if (!this.isOneOf(TOKENS, token)) return;
    const [found] = await this.database.query<{ own: boolean; ended: boolean }>(REVOKE, [hashToken(token), clientId]);
    if (found?.ended) await this.events.delivered();
    if (!found || found.own) return;
    const text = `Client ${clientId} tried to revoke another client's token; it stays valid`;
    this.refusals.note(text, ({ requests }, others) =>
      this.log.warn('oauth_revocation_rejected', { clientId, requests }, `${text}${others}`),
    );
  }

  /** Ends each of these that lives, on this process at once, on others within a second, and its owner gets a notice. */
  async endLeaked(texts: readonly string[]): Promise<void> {
    const secrets = [...new Set(texts)].filter((text) => this.isOneOf(SECRETS, text));
    if (secrets.length === 0) return;
    const { ended } = await queryOne<{ ended: number }>(this.database, LEAKED, [secrets.map(hashToken)]);
    if (ended === 0) return;
    await this.events.delivered();
    this.log.warn('oauth_leak_reported', { ended }, `${ended} tokens, keys or secrets were reported as leaked, and have ended`);
  }

  private isOneOf(kinds: readonly string[], text: string): boolean {
    return kinds.some((kind) => isWellFormedToken(text, this.config.tokenPrefix + kind));
  }
}
