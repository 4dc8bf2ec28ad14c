import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, sql, type RowOf, type Tx } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { hashToken } from '../../../platform/kernel/token.js';
import { isDisabled } from '../../user/index.js';
import { CodeEntity, GrantEntity } from '../grant/grant.entity.js';
import { OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth.settings.js';

const GRANT = columns(GrantEntity).only('userId', 'sessionId', 'authTime', 'amr', 'audience', 'authorizationDetails');
const CODE = columns(CodeEntity).only('grantId', 'redirectUri', 'scopes', 'codeChallenge', 'nonce', 'dpopJkt');

export interface RedeemedCode extends RowOf<typeof GRANT>, RowOf<typeof CODE> {
  /** Now, by the database's clock: what is issued for it carries this time. */
  readonly issuedAt: Date;
}

export interface NewTokens {
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** What the access token is for; the refresh token keeps the services of the grant. */
  readonly audience: readonly string[] | null;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Thumbprints of the key that each is bound to. */
  readonly jkt: string | null;
  readonly refreshJkt: string | null;
}

const CLAIM = sql`UPDATE oauth_code k SET used_at = now() FROM oauth_grant g
          WHERE k.hash = $1 AND k.client_id = $2 AND k.used_at IS NULL AND k.expires_at > now() AND g.id = k.grant_id
            AND (k.code_challenge IS NULL OR $3)
         RETURNING ${GRANT.of('g')}, ${CODE.of('k')}, now() AS "issuedAt"`;
const LATE = sql`SELECT extract(epoch FROM now() - expires_at)::float8 AS late FROM oauth_code WHERE hash = $1 AND client_id = $2 AND used_at IS NULL`;
const END_IF_REPLAYED = sql`SELECT oauth_end_grants(ARRAY(SELECT k.grant_id FROM oauth_code k WHERE k.hash = $1 AND k.client_id = $2 AND k.used_at IS NOT NULL),
                                 'authorization code used again')`;
const ISSUE = sql`WITH live AS (SELECT g.id, g.client_id, g.absolute_expires_at AS ends FROM oauth_grant g
                        WHERE g.id = $1 AND g.revoked_at IS NULL AND g.absolute_expires_at > now() AND NOT ${isDisabled(fragment`g.user_id`)}),
              access AS (INSERT INTO oauth_access_token (hash, grant_id, scopes, audience, dpop_jkt, expires_at)
                         SELECT $3, live.id, $2, $7, $8, least(now() + make_interval(secs => $5), live.ends) FROM live RETURNING expires_at),
              refresh AS (INSERT INTO oauth_refresh_token (hash, grant_id, client_id, scopes, dpop_jkt, expires_at)
                          SELECT $4, live.id, live.client_id, $2, $9, least(now() + make_interval(secs => $6), live.ends) FROM live WHERE $4::bytea IS NOT NULL)
         SELECT extract(epoch FROM access.expires_at - clock_timestamp())::float8 AS "leftSeconds" FROM access`;

@Injectable()
export class CodeStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly settings: OAuthSettings,
  ) {}

  /** One transaction for the code and its tokens: if the database fails, the app may repeat its request. A refusal spends the code. */
  async redeem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const outcome = await this.database.transaction((tx) =>
      work(tx).catch((error: unknown) => {
        if (error instanceof OAuthError) return error;
        throw error;
      }),
    );
    if (outcome instanceof OAuthError) throw outcome;
    return outcome;
  }

  /** Of concurrent callers, on any number of processes, one gets the code. One with a challenge stays valid if no verifier was sent. */
  async claim(tx: Tx, hash: Buffer, clientId: string, hasVerifier: boolean): Promise<RedeemedCode | null> {
    const [redeemed] = await tx.query<RedeemedCode>(CLAIM, [hash, clientId, hasVerifier]);
    return redeemed ?? null;
  }

  /** Seconds since an unused code expired, below zero if it has not; null: it is no such code of the client. */
  async secondsLate(hash: Buffer, clientId: string): Promise<number | null> {
    return (await this.database.query<{ late: number }>(LATE, [hash, clientId]))[0]?.late ?? null;
  }

  /**
   * A second use means that two parties have the code: everything issued for it ends (RFC 6749 section 4.1.2). Only its own client can
   * cause this, so that another client cannot end a grant with a leaked code.
   */
  async endIfReplayed(hash: Buffer, clientId: string): Promise<boolean> {
    const ended = await this.database.query(END_IF_REPLAYED, [hash, clientId]);
    if (ended.length > 0) await this.events.delivered();
    return ended.length > 0;
  }

  /** Stores the new tokens. @returns seconds until the access token expires; null if the grant has ended meanwhile, or its person is disabled */
  async issue(tx: Tx, { grantId, scopes, audience, accessToken, refreshToken, jkt, refreshJkt }: NewTokens): Promise<number | null> {
    const hashes = [hashToken(accessToken), refreshToken === null ? null : hashToken(refreshToken)];
    const seconds = [this.settings.ACCESS_TOKEN_SECONDS, this.settings.REFRESH_TOKEN_IDLE_SECONDS];
    const values = [grantId, scopes, ...hashes, ...seconds, audience, jkt, refreshJkt];
    const [issued] = await tx.query<{ leftSeconds: number }>(ISSUE, values);
    return issued?.leftSeconds ?? null;
  }
}
