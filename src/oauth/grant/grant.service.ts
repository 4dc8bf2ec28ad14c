import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../auth/index.js';
import { BudgetService, type BudgetLimits, type WindowLimit } from '../../budget/index.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { Config } from '../../config/index.js';
import { columns, Database, fragment, sql, type Fragment, type Statement } from '../../database/index.js';
import { hashToken, mintToken } from '../../kernel/token.js';
import { newId } from '../../kernel/uuid.js';
import type { Client } from '../client/client.js';
import type { Visitor } from '../../auth/index.js';
import { budgetOf } from './app-budget.js';
import { CodeEntity } from './code.entity.js';
import { GrantEntity } from './grant.entity.js';

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
  readonly session: Visitor;
  readonly scopes: readonly string[];
  /** When the person was asked about moving money: now, or earlier. */
  readonly writeAskedAt: Date | 'now' | null;
  /** The app may create and revoke API keys; the operator has to trust it. */
  readonly managesKeys: boolean;
  /** The most that the app may spend in one window; null: the limits stay as they are. */
  readonly limit?: WindowLimit | null;
}

const REMEMBERED = sql`SELECT now() AS now, coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE s.scope IS NOT NULL), '{}') AS scopes,
                coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)), '{}') AS recent,
                max(g.write_asked_at) AS "writeAskedAt",
                coalesce((array_agg(g.manages_keys ORDER BY g.created_at DESC)
                            FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)))[1], false) AS "managesKeys"
           FROM oauth_grant g, unnest(g.scopes) AS s (scope)
          WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL AND g.absolute_expires_at > now()`;

const NEW_GRANT = columns(GrantEntity).only('id', 'userId', 'clientId', 'scopes', 'sessionId', 'authTime', 'managesKeys');
const NEW_CODE = columns(CodeEntity).only('hash', 'grantId', 'clientId', 'redirectUri', 'scopes', 'codeChallenge', 'nonce');

/** Inserts grant and code in one statement, and only if `source` has a row. */
const grantFrom = (before: Fragment, source: Fragment): Statement =>
  sql`WITH ${before}
              granted AS (
                INSERT INTO oauth_grant (${NEW_GRANT.names}, write_asked_at, absolute_expires_at)
                SELECT ${NEW_GRANT.parameters()}, CASE WHEN $8 THEN now() ELSE $9::timestamptz END, now() + make_interval(secs => $10)
                  FROM ${source} RETURNING id)
         INSERT INTO oauth_code (${NEW_CODE.names}, expires_at)
         SELECT ${NEW_CODE.parameters(11)}, now() + make_interval(secs => $18) FROM granted RETURNING 1`;
const GRANT = grantFrom(fragment``, fragment`(SELECT) AS always`);
// The same statement claims the interaction: it can be answered once, by the session that it was shown to.
const GRANT_CLAIMED = grantFrom(
  fragment`claimed AS (UPDATE oauth_interaction SET state = 'allowed' WHERE id = $19 AND state = 'open' AND expires_at > now() AND session_id = $5 RETURNING id),`,
  fragment`claimed`,
);

/** Consents, and the authorization codes that are issued for them. */
@Injectable()
export class GrantService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly catalogue: ScopeCatalogue,
    private readonly budgets: BudgetService,
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

  /** What the app may spend of the person's money, whatever grants it has; undefined: there is no limit. */
  async limitsOf(userId: string, clientId: string): Promise<BudgetLimits | undefined> {
    const { id } = budgetOf(userId, clientId);
    return (await this.budgets.limitsOf([id])).get(id);
  }

  /**
   * @param interactionId the request that a person has just answered; it can be answered once
   * @returns the authorization code, or null if the interaction was answered or expired meanwhile
   */
  async grant({ request, session, scopes, writeAskedAt, managesKeys, limit }: Consent, interactionId?: string): Promise<string | null> {
    const { refreshAbsoluteSeconds, codeSeconds } = this.config.oauth;
    const code = mintToken(`${this.config.tokenPrefix}_ac`);
    const { clientId, redirectUri, codeChallenge, nonce } = request;
    const { id: sessionId, authTime } = session.session;
    const grant = { id: newId(), userId: session.user.id, clientId, scopes, sessionId, authTime, managesKeys };
    const asked = writeAskedAt === 'now' ? [true, null] : [false, writeAskedAt];
    const bound = { hash: hashToken(code), grantId: grant.id, clientId, redirectUri, scopes, codeChallenge, nonce };
    const values = [...NEW_GRANT.valuesOf(grant), ...asked, refreshAbsoluteSeconds, ...NEW_CODE.valuesOf(bound), codeSeconds];
    // Before the app can spend.
    if (limit) await this.budgets.setLimit(budgetOf(session.user.id, clientId), limit.window, limit.limitSats);
    const added = await this.database.query(interactionId ? GRANT_CLAIMED : GRANT, interactionId ? [...values, interactionId] : values);
    return added.length > 0 ? code : null;
  }
}

/** `offline` and `offline_access` are one permission under two names. */
const oneName = (scope: string): string => (scope === 'offline_access' ? 'offline' : scope);
