import { Injectable } from '@nestjs/common';
import { ScopeCatalogue, type Visitor } from '../../../edge/auth/index.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import type { Audience } from '../request/resources.js';
import { windowOf, withLimits, type WalletBudget } from '../authorization-details.js';
import { Config } from '../../../platform/config/index.js';
import { columns, Database, DELETED_AT_ONCE, fragment, queryOne, sql, type Fragment, type Tx } from '../../../platform/database/index.js';
import { REVOCATION } from '../../../platform/events/index.js';
import { hashToken, mintToken } from '../../../platform/kernel/token.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { appBudget, SpendingLimits, type BudgetLimits, type LimitsChange } from '../../limit/index.js';
import type { Client } from '../client/client.js';
import { OAuthError } from '../oauth-error.js';
import { CodeEntity, GrantEntity } from './grant.entity.js';
import { OAuthSettings } from '../oauth.settings.js';

export interface PriorConsent extends Pick<GrantEntity, 'scopes' | 'writeAskedAt' | 'managesKeys' | 'managesCallbacks'> {
  /** The time of the look-up, by the database's clock. */
  readonly now: Date;
  /** The scopes of grants whose question about money is recent enough. */
  readonly recent: readonly string[];
}

export interface Consent {
  readonly request: AuthorizationRequest;
  readonly session: Visitor;
  readonly scopes: readonly string[];
  readonly writeAskedAt: Date | 'now' | null;
  readonly managesKeys: boolean;
  readonly managesCallbacks: boolean;
  readonly authorizationDetails: readonly WalletBudget[] | null;
  /** Set before the app can spend; absent if no person has just been asked. */
  readonly limits?: LimitsChange;
}

/** What the latest consent says whose question about money is recent enough. */
const latest = (column: Fragment): Fragment =>
  fragment`coalesce((array_agg(g.${column} ORDER BY g.created_at DESC) FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)))[1], false)`;
const REMEMBERED = sql`SELECT now() AS now, coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE s.scope IS NOT NULL), '{}') AS scopes,
                coalesce(array_agg(DISTINCT s.scope) FILTER (WHERE g.write_asked_at > now() - make_interval(secs => $3)), '{}') AS recent,
                max(g.write_asked_at) AS "writeAskedAt",
                ${latest(fragment`manages_keys`)} AS "managesKeys", ${latest(fragment`manages_callbacks`)} AS "managesCallbacks"
           FROM oauth_grant g, unnest(g.scopes) AS s (scope)
          WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL AND g.absolute_expires_at > now()
            AND (g.audience @> $4 OR g.audience IS NOT DISTINCT FROM $4::text[])`;

const NEW_GRANT = columns(GrantEntity).only(
  'id',
  'userId',
  'clientId',
  'scopes',
  'audience',
  'sessionId',
  'authTime',
  'amr',
  'managesKeys',
  'managesCallbacks',
);
const NEW_CODE = columns(CodeEntity).only('hash', 'grantId', 'clientId', 'redirectUri', 'scopes', 'codeChallenge', 'nonce', 'dpopJkt');

/** Of one person and app. Each sign-in through an app adds one without a question, and every request of the app reads them all. */
const MAX_GRANTS = 500;
/**
 * `surplus`: those that no app has used go first: a page that leads a browser here again and again ends none that is in use. Of concurrent calls
 * one deletes. `visit`: a new password ends the session and the grants that it sees, so the two wait for each other; the person is locked first.
 */
const GRANT = sql`WITH surplus AS (
                DELETE FROM oauth_grant WHERE id IN (
                  SELECT x.id FROM oauth_grant x WHERE x.id IN (
                    SELECT o.id FROM oauth_grant o WHERE o.user_id = $2 AND o.client_id = $3 AND o.revoked_at IS NULL
                     ORDER BY o.last_used_at IS NULL, greatest(o.created_at, o.last_used_at) DESC, o.id OFFSET ${MAX_GRANTS - 1} LIMIT ${DELETED_AT_ONCE})
                   FOR UPDATE SKIP LOCKED)
                RETURNING ${REVOCATION}),
              visit AS (
                SELECT FROM app_user u JOIN session s ON s.user_id = u.id WHERE u.id = $2 AND s.id = $6 AND s.ended_at IS NULL FOR SHARE OF u, s),
              granted AS (
                INSERT INTO oauth_grant (${NEW_GRANT.names}, authorization_details, write_asked_at, absolute_expires_at)
                SELECT ${NEW_GRANT.parameters()}, $11::jsonb, CASE WHEN $12 THEN now() ELSE $13::timestamptz END, now() + make_interval(secs => $14) FROM visit
                RETURNING id)
              INSERT INTO oauth_code (${NEW_CODE.names}, expires_at)
              SELECT ${NEW_CODE.parameters(15)}, now() + make_interval(secs => $23) FROM granted RETURNING 1`;

@Injectable()
export class GrantService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly settings: OAuthSettings,
    private readonly catalogue: ScopeCatalogue,
    private readonly limits: SpendingLimits,
  ) {}

  get consentWriteMemorySeconds(): number {
    return this.settings.CONSENT_WRITE_MEMORY_SECONDS;
  }

  /** @param audience a consent for other services does not count */
  priorConsent(userId: string, clientId: string, audience: Audience): Promise<PriorConsent> {
    return queryOne(this.database, REMEMBERED, [userId, clientId, this.settings.CONSENT_WRITE_MEMORY_SECONDS, audience]);
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

  /** Does the app have at least the budgets that it asks for? A wider one, and the first of its period, need a person's answer. */
  async coversBudgets(userId: string, { clientId, authorizationDetails = [] }: AuthorizationRequest): Promise<boolean> {
    if (authorizationDetails.length === 0) return true;
    const limits = await this.limitsOf(userId, clientId);
    return authorizationDetails.every((asked) => asked.max_amount <= (limits[windowOf(asked)] ?? 0));
  }

  /**
   * `authorization_details` of tokens (RFC 9396 sections 7 and 9): as granted, or as the person has changed it since. Empty for those that
   * were granted without, or cannot send.
   */
  async detailsOf(
    { userId, clientId, authorizationDetails }: Pick<GrantEntity, 'userId' | 'clientId' | 'authorizationDetails'>,
    scopes: readonly string[],
  ): Promise<{ readonly authorization_details?: readonly WalletBudget[] }> {
    if (authorizationDetails === null || !this.movesMoney(scopes)) return {};
    return { authorization_details: withLimits(authorizationDetails, await this.limitsOf(userId, clientId)) };
  }

  private async limitsOf(userId: string, clientId: string): Promise<Partial<BudgetLimits>> {
    const { id } = appBudget(userId, clientId);
    return (await this.limits.limitsOf([id])).get(id) ?? {};
  }

  movesMoney(scopes: readonly string[]): boolean {
    return scopes.some((scope) => this.catalogue.find(scope)?.movesMoney);
  }

  /** @returns the authorization code @throws OAuthError login_required if the session has ended meanwhile */
  async grant(consent: Consent, tx: Tx = this.database): Promise<string> {
    const { request, session, scopes, writeAskedAt, managesKeys, managesCallbacks, authorizationDetails: details } = consent;
    const { REFRESH_TOKEN_ABSOLUTE_SECONDS: refreshAbsoluteSeconds, AUTHORIZATION_CODE_SECONDS: codeSeconds } = this.settings;
    const code = mintToken(`${this.config.tokenPrefix}_ac`);
    const { clientId, redirectUri, codeChallenge, nonce, audience, dpopJkt } = request;
    if (consent.limits) await this.limits.changeWithin(tx, appBudget(session.user.id, clientId), consent.limits);
    const { id: sessionId, authTime, amr } = session.session;
    const who = { userId: session.user.id, clientId, sessionId, authTime, amr };
    const grant = { id: newId(), ...who, scopes, audience, managesKeys, managesCallbacks };
    const asked = writeAskedAt === 'now' ? [true, null] : [false, writeAskedAt];
    const bound = { hash: hashToken(code), grantId: grant.id, clientId, redirectUri, scopes, codeChallenge, nonce, dpopJkt };
    const given = [...NEW_GRANT.valuesOf(grant), details && JSON.stringify(details), ...asked, refreshAbsoluteSeconds];
    const granted = await tx.query(GRANT, [...given, ...NEW_CODE.valuesOf(bound), codeSeconds]);
    if (granted.length === 0) throw new OAuthError('login_required', 'The session has ended');
    return code;
  }
}

/** `offline` and `offline_access` are one permission under two names. */
const oneName = (scope: string): string => (scope === 'offline_access' ? 'offline' : scope);
