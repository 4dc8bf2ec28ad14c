import { Injectable } from '@nestjs/common';
import { MANAGE_KEYS, ScopeCatalogue, type ScopeDefinition } from '../../../edge/auth/index.js';
import { hostOf, isClientId } from '../client/client.js';
import { Database, fragment, mayTakeLong, sql, type Fragment, type Statement, type Tx } from '../../../platform/database/index.js';
import {
  appBudget,
  isLimitsChange,
  SpendingLimits,
  type AskAbove,
  type Budget,
  type BudgetLimits,
  type LimitsChange,
} from '../../limit/index.js';
import { Events } from '../../../platform/events/index.js';
import { Metrics } from '../../../platform/metrics/index.js';

export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  readonly verified: boolean;
  readonly host: string;
  /** Includes `openid` (`implicit`) if it was requested, and `MANAGE_KEYS` if the person ticked it. */
  readonly scopes: readonly ScopeDefinition[];
  readonly allowedAt: Date;
  readonly lastUsedAt: Date | null;
  /** When the access ends; null if it ends with the app's own session. */
  readonly endsAt: Date | null;
  readonly grantIds: readonly string[];
}

export type EndedBecause =
  | 'authorization code used again'
  | 'refresh token used again'
  | 'reported as leaked'
  | 'password changed'
  | 'revoked by the app'
  | 'removed by the organisation';

export interface EndedApp {
  readonly id: string;
  readonly name: string;
  readonly endedAt: Date;
  readonly because: EndedBecause;
  /** Its keys ended with it. */
  readonly isSuspicion: boolean;
}

interface AppRow extends Omit<ConnectedApp, 'scopes' | 'host'> {
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly managesKeys: boolean;
}

const connected = (condition: Fragment): Statement =>
  sql`SELECT c.id, c.name, c.verified, c.redirect_uris AS "redirectUris", min(g.created_at) AS "allowedAt", max(g.last_used_at) AS "lastUsedAt",
                max(g.absolute_expires_at) FILTER (WHERE g.scopes && ARRAY['offline', 'offline_access']) AS "endsAt",
                array_agg(DISTINCT s.scope) AS scopes, c.trusted AND bool_or(g.manages_keys) AS "managesKeys", array_agg(DISTINCT g.id::text) AS "grantIds"
           FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id, unnest(g.scopes) AS s (scope)
          WHERE g.user_id = $1 AND g.revoked_at IS NULL AND g.absolute_expires_at > now() ${condition} GROUP BY c.id ORDER BY max(g.created_at) DESC`;
const LIST = connected(fragment``);
const FIND = connected(fragment`AND c.id = $2`);
const REVOKE = sql`SELECT oauth_end_grants(ARRAY(SELECT g.id FROM oauth_grant g WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL),
                                 'disconnected by the owner')`;

const REVOKE_ALL = sql`SELECT oauth_end_grants(ARRAY(SELECT g.id FROM oauth_grant g WHERE g.user_id = $1 AND g.revoked_at IS NULL), $2)`;

const MAX_ENDED_GRANTS = 100;
const MAX_ENDED_APPS = 10;
/** While an app has other access, only an alarm is worth reporting; once the person has connected the app again, nothing is. */
const LIST_ENDED = sql`SELECT c.id, c.name, ended.at AS "endedAt", ended.because, ended.suspicion AS "isSuspicion"
           FROM (SELECT DISTINCT ON (g.client_id) g.client_id, g.revoked_at AS at, g.revoked_because AS because, g.suspicion
                   FROM (SELECT client_id, revoked_at, revoked_because, oauth_is_suspicion(revoked_because) AS suspicion FROM oauth_grant
                          WHERE user_id = $1 AND revoked_at IS NOT NULL ORDER BY revoked_at DESC LIMIT ${MAX_ENDED_GRANTS}) AS g
                  WHERE g.revoked_because <> 'disconnected by the owner'
                  ORDER BY g.client_id, g.suspicion DESC, g.revoked_at DESC) AS ended
           JOIN oauth_client c ON c.id = ended.client_id
          WHERE NOT EXISTS (SELECT FROM oauth_grant live
                             WHERE live.user_id = $1 AND live.client_id = ended.client_id AND live.revoked_at IS NULL AND live.absolute_expires_at > now()
                               AND (live.created_at > ended.at OR NOT ended.suspicion))
          ORDER BY ended.at DESC LIMIT ${MAX_ENDED_APPS}`;

// Ended ones are kept for thirty days.
const GRANTS =
  mayTakeLong(sql`SELECT CASE WHEN g.revoked_at IS NOT NULL THEN g.revoked_because WHEN g.absolute_expires_at > now() THEN 'live' ELSE 'expired' END AS state,
          count(*)::int AS n FROM oauth_grant g GROUP BY 1`);

@Injectable()
export class AppService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly catalogue: ScopeCatalogue,
    private readonly limits: SpendingLimits,
    metrics: Metrics,
  ) {
    const help = 'Connections of people and apps: live, expired, or why they ended in the last month';
    metrics.labelledGauge('sluice_oauth_grants', help, 'state', async () => {
      const rows = await this.database.query<{ state: string; n: number }>(GRANTS);
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    });
  }

  async list(userId: string): Promise<readonly ConnectedApp[]> {
    return (await this.database.query<AppRow>(LIST, [userId])).map((row) => this.appOf(row));
  }

  listEnded(userId: string): Promise<EndedApp[]> {
    return this.database.query<EndedApp>(LIST_ENDED, [userId]);
  }

  async find(userId: string, id: string): Promise<ConnectedApp | null> {
    const [row] = isClientId(id) ? await this.database.query<AppRow>(FIND, [userId, id]) : [];
    return row ? this.appOf(row) : null;
  }

  /**
   * Ends all grants to the app, on every process within a second. @param andThen in the same transaction, after which the app can create no
   * more keys @returns false if it was not connected, or is no longer
   */
  async revoke(userId: string, id: string, andThen?: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    if (!isClientId(id)) return false;
    const ended = await this.database.transaction(async (tx) => {
      const grants = await tx.query(REVOKE, [userId, id]);
      await andThen?.(tx);
      return grants;
    });
    if (ended.length > 0 || andThen) await this.events.delivered();
    return ended.length > 0;
  }

  /** In the caller's transaction; the caller awaits `Events.delivered` after its commit. */
  async revokeAll(tx: Tx, userId: string, because: EndedBecause): Promise<void> {
    await tx.query(REVOKE_ALL, [userId, because]);
  }

  /** Sets and removes limits of the app, all or none. */
  async changeLimits(userId: string, id: string, change: LimitsChange): Promise<'changed' | 'invalid' | 'not_connected'> {
    if (!isLimitsChange(change)) return 'invalid';
    if (!(await this.find(userId, id))) return 'not_connected';
    await this.limits.changeWithin(this.database, appBudget(userId, id), change);
    return 'changed';
  }

  askOf(userId: string, id: string): Promise<AskAbove> {
    return this.limits.askOf(appBudget(userId, id).id);
  }

  /** Only the owner does this, on a page. @returns false if the app is not connected */
  async changeAsk(userId: string, id: string, ask: AskAbove): Promise<boolean> {
    if (!(await this.find(userId, id))) return false;
    await this.limits.askWithin(this.database, appBudget(userId, id), ask);
    return true;
  }

  loadBudget(userId: string, id: string): Promise<Budget> {
    return this.limits.load(appBudget(userId, id).id);
  }

  /** The limits of the apps that have one, by the clients' ids. */
  async limitsOf(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    const clientIds = new Map(ids.map((id) => [appBudget(userId, id).id, id]));
    const limits = await this.limits.limitsOf([...clientIds.keys()]);
    return new Map([...limits].map(([id, found]) => [clientIds.get(id) ?? '', found]));
  }

  private appOf({ scopes, redirectUris, managesKeys, ...row }: AppRow): ConnectedApp {
    const held = this.catalogue.all().filter(({ name }) => scopes.includes(name));
    return {
      ...row,
      scopes: managesKeys ? [...held, MANAGE_KEYS] : held,
      host: redirectUris[0] === undefined ? '' : hostOf(redirectUris[0]),
    };
  }
}
