import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Database, type Statement } from '../../database/index.js';
import { Events } from '../../events/index.js';

/** The data of a redeemed code. */
export interface RedeemedCode {
  readonly grantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  /** Now, by the database's clock: what is issued for it carries this time. */
  readonly issuedAt: Date;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
}

const CLAIM: Statement = {
  name: 'oauth_code_claim',
  text: `UPDATE oauth_code k SET used_at = now() FROM oauth_grant g
          WHERE k.hash = $1 AND k.client_id = $2 AND k.used_at IS NULL AND k.expires_at > now() AND g.id = k.grant_id
            AND (k.code_challenge IS NULL OR $3)
         RETURNING g.id AS "grantId", g.user_id AS "userId", g.session_id AS "sessionId", g.auth_time AS "authTime", now() AS "issuedAt",
                   k.redirect_uri AS "redirectUri", k.scopes, k.code_challenge AS "codeChallenge", k.nonce`,
};
const WANTS_VERIFIER: Statement = {
  name: 'oauth_code_wants_verifier',
  text: `SELECT FROM oauth_code WHERE hash = $1 AND client_id = $2 AND used_at IS NULL AND expires_at > now() AND code_challenge IS NOT NULL`,
};
const END_IF_REPLAYED: Statement = {
  name: 'oauth_code_end_if_replayed',
  text: `SELECT oauth_end_grants(ARRAY(SELECT k.grant_id FROM oauth_code k WHERE k.hash = $1 AND k.client_id = $2 AND k.used_at IS NOT NULL),
                                 'authorization code used again')`,
};
const ISSUE: Statement = {
  name: 'oauth_code_issue',
  text: `WITH live AS (SELECT g.id, g.client_id, g.absolute_expires_at AS ends FROM oauth_grant g
                        WHERE g.id = $1 AND g.revoked_at IS NULL AND g.absolute_expires_at > now()),
              access AS (INSERT INTO oauth_access_token (hash, grant_id, scopes, expires_at)
                         SELECT $3, live.id, $2, least(now() + make_interval(secs => $5), live.ends) FROM live RETURNING expires_at),
              refresh AS (INSERT INTO oauth_refresh_token (hash, grant_id, client_id, scopes, expires_at)
                          SELECT $4, live.id, live.client_id, $2, least(now() + make_interval(secs => $6), live.ends) FROM live WHERE $4::bytea IS NOT NULL)
         SELECT extract(epoch FROM access.expires_at - clock_timestamp())::float8 AS "leftSeconds" FROM access`,
};

/** Authorization codes, and the tokens that are issued for them. */
@Injectable()
export class CodeStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  /**
   * Redeems a code. Of any number of concurrent callers, on any number of processes, one gets it. A code with a challenge stays valid if no
   * verifier was sent.
   */
  async claim(hash: Buffer, clientId: string, hasVerifier: boolean): Promise<RedeemedCode | null> {
    const [redeemed] = await this.database.query<RedeemedCode>(CLAIM, [hash, clientId, hasVerifier]);
    return redeemed ?? null;
  }

  /** Would this code be valid with a verifier? */
  async wantsVerifier(hash: Buffer, clientId: string): Promise<boolean> {
    return (await this.database.query(WANTS_VERIFIER, [hash, clientId])).length > 0;
  }

  /**
   * A second use means that two parties have the code: everything issued for it ends (RFC 6749 section 4.1.2). Only its own client can
   * cause this, so that another client cannot end a grant with a leaked code.
   */
  async endIfReplayed(hash: Buffer, clientId: string): Promise<boolean> {
    const ended = await this.database.query(END_IF_REPLAYED, [hash, clientId]);
    if (ended.length > 0) this.events.wake();
    return ended.length > 0;
  }

  /** Stores the new tokens. @returns seconds until the access token expires; null if the grant has ended meanwhile */
  async issue(grantId: string, scopes: readonly string[], accessHash: Buffer, refreshHash: Buffer | null): Promise<number | null> {
    const { accessTokenSeconds, refreshIdleSeconds } = this.config.oauth;
    const values = [grantId, scopes, accessHash, refreshHash, accessTokenSeconds, refreshIdleSeconds];
    const [issued] = await this.database.query<{ leftSeconds: number }>(ISSUE, values);
    return issued?.leftSeconds ?? null;
  }
}
