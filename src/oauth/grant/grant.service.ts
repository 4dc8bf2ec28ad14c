import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../auth/index.js';
import { BudgetService, replacementOf, type BudgetLimits, type LimitsChange } from '../../budget/index.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { Config } from '../../config/index.js';
import { columns, Database, fragment, sql, type Fragment } from '../../database/index.js';
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
}

/** What a person has allowed on the consent page. */
export interface Answer extends Consent {
  readonly interactionId: string;
  /** Limits of the app that the person saw, and changed or not; null: the page showed none. */
  readonly limits: LimitsChange | null;
}

export type AnswerOutcome =
  | { readonly kind: 'allowed'; /** The authorization code. */ readonly code: string }
  /** The interaction was answered or expired meanwhile. */
  | { readonly kind: 'answered' }
  /** Other limits apply than the person saw: nothing is granted, and no limit is set. */
  | { readonly kind: 'stale' };

const REMEMBERED = sql`SELECT now() AS now, coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE s.scope IS NOT NULL), '{}') AS scopes,
                coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)), '{}') AS recent,
                max(g.write_asked_at) AS "writeAskedAt",
                coalesce((array_agg(g.manages_keys ORDER BY g.created_at DESC)
                            FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)))[1], false) AS "managesKeys"
           FROM oauth_grant g, unnest(g.scopes) AS s (scope)
          WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL AND g.absolute_expires_at > now()`;

const NEW_GRANT = columns(GrantEntity).only('id', 'userId', 'clientId', 'scopes', 'sessionId', 'authTime', 'managesKeys');
const NEW_CODE = columns(CodeEntity).only('hash', 'grantId', 'clientId', 'redirectUri', 'scopes', 'codeChallenge', 'nonce');

/** Inserts grant and code, if `source` has a row. */
const grantedFrom = (source: Fragment): Fragment =>
  fragment`granted AS (
                INSERT INTO oauth_grant (${NEW_GRANT.names}, write_asked_at, absolute_expires_at)
                SELECT ${NEW_GRANT.parameters()}, CASE WHEN $8 THEN now() ELSE $9::timestamptz END, now() + make_interval(secs => $10)
                  FROM ${source} RETURNING id),
              coded AS (
                INSERT INTO oauth_code (${NEW_CODE.names}, expires_at)
                SELECT ${NEW_CODE.parameters(11)}, now() + make_interval(secs => $18) FROM granted)`;
const GRANT = sql`WITH ${grantedFrom(fragment`(SELECT) AS always`)} SELECT FROM granted`;
const ANSWER = sql`WITH allowed AS MATERIALIZED (SELECT oauth_interaction_allow($19, $5, $20, $2, $21, $22) AS kind),
              ${grantedFrom(fragment`allowed WHERE kind = 'allowed'`)}
         SELECT kind FROM allowed`;

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

  /** Grants without a question. @returns the authorization code */
  async grant(consent: Consent): Promise<string> {
    const { code, values } = this.newGrant(consent);
    await this.database.query(GRANT, values);
    return code;
  }

  /** Grants what a person has just allowed, and sets the limits of the app before it can spend: all in one statement, or nothing. */
  async answer({ interactionId, limits, ...consent }: Answer): Promise<AnswerOutcome> {
    const { code, values } = this.newGrant(consent);
    const { id: budgetId } = budgetOf(consent.session.user.id, consent.request.clientId);
    const { seen, limits: wanted } = limits ? replacementOf(limits) : { seen: null, limits: null };
    const [row] = await this.database.query<Pick<AnswerOutcome, 'kind'>>(ANSWER, [...values, interactionId, budgetId, seen, wanted]);
    if (!row) throw new Error('Unreachable: a function returned no row');
    return row.kind === 'allowed' ? { kind: 'allowed', code } : { kind: row.kind };
  }

  private newGrant({ request, session, scopes, writeAskedAt, managesKeys }: Consent): {
    readonly code: string;
    readonly values: unknown[];
  } {
    const { refreshAbsoluteSeconds, codeSeconds } = this.config.oauth;
    const code = mintToken(`${this.config.tokenPrefix}_ac`);
    const { clientId, redirectUri, codeChallenge, nonce } = request;
    const { id: sessionId, authTime } = session.session;
    const grant = { id: newId(), userId: session.user.id, clientId, scopes, sessionId, authTime, managesKeys };
    const asked = writeAskedAt === 'now' ? [true, null] : [false, writeAskedAt];
    const bound = { hash: hashToken(code), grantId: grant.id, clientId, redirectUri, scopes, codeChallenge, nonce };
    return { code, values: [...NEW_GRANT.valuesOf(grant), ...asked, refreshAbsoluteSeconds, ...NEW_CODE.valuesOf(bound), codeSeconds] };
  }
}

/** `offline` and `offline_access` are one permission under two names. */
const oneName = (scope: string): string => (scope === 'offline_access' ? 'offline' : scope);
