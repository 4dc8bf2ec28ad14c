import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../auth/index.js';
import type { AuthorizationRequest } from '../authorize/authorization-request.js';
import { Config } from '../../config/index.js';
import { Database, type Statement } from '../../database/index.js';
import { hashToken, mintToken } from '../../kernel/token.js';
import { newId } from '../../kernel/uuid.js';
import type { Client } from '../client/client.js';
import type { PageSession } from '../http/page-sessions.js';

/** Prior consent of a person to an app. */
export interface PriorConsent {
  /** The time of the look-up, by the database's clock. */
  readonly now: Date;
  readonly scopes: readonly string[];
  /** Those of grants whose question about money is recent enough. */
  readonly recent: readonly string[];
  /** When the person was last asked about money. */
  readonly writeAskedAt: Date | null;
  /** The person's last answer about API keys, if it is recent enough. */
  readonly managesKeys: boolean;
}

/** What to grant, and to which app and session. */
export interface Consent {
  readonly request: AuthorizationRequest;
  readonly session: PageSession;
  readonly scopes: readonly string[];
  /** When the person was asked about moving money: now, or earlier. */
  readonly writeAskedAt: Date | 'now' | null;
  /** The app may create and revoke API keys; the operator has to trust it. */
  readonly managesKeys: boolean;
}

const REMEMBERED: Statement = {
  name: 'oauth_grant_remembered',
  text: `SELECT now() AS now, coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE s.scope IS NOT NULL), '{}') AS scopes,
                coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)), '{}') AS recent,
                max(g.write_asked_at) AS "writeAskedAt",
                coalesce((array_agg(g.manages_keys ORDER BY g.created_at DESC)
                            FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)))[1], false) AS "managesKeys"
           FROM oauth_grant g, unnest(g.scopes) AS s (scope)
          WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL AND g.absolute_expires_at > now()`,
};

/** Inserts grant and code in one statement, and only if `source` has a row. */
const grantFrom = (name: string, before: string, source: string): Statement => ({
  name,
  text: `WITH ${before}
              granted AS (
                INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, write_asked_at, absolute_expires_at, manages_keys)
                SELECT $1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN now() ELSE $8::timestamptz END, now() + make_interval(secs => $9), $10
                  FROM ${source} RETURNING id)
         INSERT INTO oauth_code (hash, grant_id, client_id, redirect_uri, scopes, code_challenge, nonce, expires_at)
         SELECT $11, granted.id, $3, $12, $4, $13, $14, now() + make_interval(secs => $15) FROM granted RETURNING 1`,
});
const GRANT = grantFrom('oauth_grant_add', '', '(SELECT) AS always');
// The same statement claims the interaction: it can be answered once, by the session that it was shown to.
const GRANT_CLAIMED = grantFrom(
  'oauth_grant_add_claimed',
  `claimed AS (UPDATE oauth_interaction SET state = 'allowed' WHERE id = $16 AND state = 'open' AND expires_at > now() AND session_id = $5 RETURNING id),`,
  'claimed',
);

/** Consents, and the authorization codes that are issued for them. */
@Injectable()
export class GrantService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly catalogue: ScopeCatalogue,
  ) {}

  async priorConsent(userId: string, clientId: string): Promise<PriorConsent> {
    const [prior] = await this.database.query<PriorConsent>(REMEMBERED, [userId, clientId, this.config.oauth.consentWriteMemorySeconds]);
    if (!prior) throw new Error('Unreachable: aggregate query returned no row');
    return prior;
  }

  /**
   * Can Sluice skip the consent page? Never for public clients: any app can impersonate one (RFC 8252 section 8.6). `openid` is implicit;
   * consent to move money is remembered for a limited time.
   */
  isConsented(client: Client, asked: readonly string[], prior: PriorConsent): boolean {
    if (!client.confidential || prior.scopes.length === 0) return false;
    const known = new Set(prior.scopes.map(oneName));
    return asked.every((scope) => {
      const definition = this.catalogue.find(scope);
      if (definition?.implicit) return true;
      return definition?.movesMoney ? prior.recent.includes(scope) : known.has(oneName(scope));
    });
  }

  /** Whether a request of this app includes the question about API keys: to create keys, an app needs permission to move money. */
  asksForKeys(client: Client, asked: readonly string[]): boolean {
    return client.trusted && asked.includes('write');
  }

  /** Do any of these scopes move money? */
  movesMoney(scopes: readonly string[]): boolean {
    return scopes.some((scope) => this.catalogue.find(scope)?.movesMoney);
  }

  /**
   * @param interactionId the request that a person has just answered; it can be answered once
   * @returns the authorization code, or null if the interaction was answered or expired meanwhile
   */
  async grant({ request, session, scopes, writeAskedAt, managesKeys }: Consent, interactionId?: string): Promise<string | null> {
    const { refreshAbsoluteSeconds, codeSeconds } = this.config.oauth;
    const code = mintToken(`${this.config.tokenPrefix}_ac`);
    const who = [newId(), session.user.id, request.clientId, scopes, session.session.id, session.session.authTime];
    const ends = [writeAskedAt === 'now', writeAskedAt === 'now' ? null : writeAskedAt, refreshAbsoluteSeconds, managesKeys];
    const bound = [hashToken(code), request.redirectUri, request.codeChallenge, request.nonce, codeSeconds];
    const values = [...who, ...ends, ...bound];
    const added = await this.database.query(interactionId ? GRANT_CLAIMED : GRANT, interactionId ? [...values, interactionId] : values);
    return added.length > 0 ? code : null;
  }
}

/** `offline` and `offline_access` are one permission under two names. */
const oneName = (scope: string): string => (scope === 'offline_access' ? 'offline' : scope);
