import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import { Database, queryOne, sql } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';
import { Log } from '../../../platform/logging/index.js';

const LEAKED = sql`SELECT oauth_leaked($1) AS ended`;
/** Access and refresh token, authorization code, secret of a client, session; an API key has no such mark. */
const KINDS = ['_at', '_rt', '_ac', '_cs', '_st', ''];

@Injectable()
export class LeakService {
  private readonly log = new Log('OAuth');

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  /** Ends each of these that lives, on this process at once, on others within a second, and its owner gets a notice. */
  async end(texts: readonly string[]): Promise<void> {
    const secrets = [...new Set(texts)].filter((text) => KINDS.some((kind) => isWellFormedToken(text, this.config.tokenPrefix + kind)));
    if (secrets.length === 0) return;
    const { ended } = await queryOne<{ ended: number }>(this.database, LEAKED, [secrets.map(hashToken)]);
    if (ended === 0) return;
    await this.events.delivered();
    this.log.warn('oauth_leak_reported', { ended }, `${ended} tokens, keys or secrets were reported as leaked, and have ended`);
  }
}
