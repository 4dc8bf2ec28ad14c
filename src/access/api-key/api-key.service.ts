import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { columns, Database, DELETED_AT_ONCE, fragment, sql, type Tx } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { hashToken, mintToken } from '../../platform/kernel/token.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { asks, isLimitsChange, SpendingLimits, type AskAbove, type Budget, type BudgetLimits, type LimitsChange } from '../limit/index.js';
import { KeyRules, type NewApiKey } from './key-rules.js';
import { mayChangeLimits } from './owner-limits.js';
import {
  type ApiKeyCreateOutcome,
  ApiKeyLimitOutcome,
  type ApiKeyRevokeOutcome,
  type ApiKeyRollOutcome,
  KEY_COLUMNS,
  type ApiKeyRow,
} from './api-key.outcome.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Some keys: by their id, their owner, the app that created them. */
export interface ChosenKeys {
  readonly id?: string | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
}

/** Maximum of working keys per person, against mistakes and a caller that fills the table. */
export const MAX_KEYS = 200;
const ANNOUNCE = sql`SELECT api_key_notices()`;
const MAX_ENDED = 500;
const HINT_START = 3;
const HINT_END = 2;

const KEY = fragment`${KEY_COLUMNS.of('k')}, coalesce(k.expires_at <= now(), false) AS expired, k.revoked_at IS NOT NULL AS revoked, CASE WHEN k.previous_until > now() THEN k.previous_until END AS "previousUntil"`;
const NEW_KEY = columns(ApiKeyEntity).only('id', 'userId', 'name', 'scopes', 'keyHash', 'hint', 'clientId', 'grantId', 'manageCallbacks');
const WORKS = fragment`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))`;
// Concurrent calls may exceed the limit by a few keys; the limit is there against thousands.
const ADD = sql`INSERT INTO api_key AS k (${NEW_KEY.names}, expires_at)
         SELECT ${NEW_KEY.parameters()}, now() + make_interval(hours => 24 * $10::int)
          WHERE (SELECT count(*) FROM api_key WHERE user_id = $2 AND ${WORKS}) < ${MAX_KEYS} AND ($8::uuid IS NULL OR oauth_grant_lives($8))
         RETURNING ${KEY}`;
const LIST = sql`SELECT ${KEY} FROM api_key k
          WHERE k.user_id = $1
            AND (${WORKS} OR k.id IN (SELECT id FROM api_key WHERE user_id = $1 AND NOT ${WORKS} ORDER BY created_at DESC LIMIT ${MAX_ENDED}))
          ORDER BY k.created_at DESC, k.id DESC`;
const FIND = sql`SELECT ${KEY} FROM api_key k WHERE k.user_id = $1 AND k.id = $2 AND ($3::text IS NULL OR k.client_id = $3)`;
// Each condition counts where it is given; without any, none is revoked.
const CHOSEN = fragment`($1::uuid IS NULL OR id = $1) AND ($2::uuid IS NULL OR user_id = $2) AND ($3::text IS NULL OR client_id = $3)`;
// The secret of before gets its end, and one of before that ends now: at most two work. Caches and sockets learn both ends.
const ROLL = sql`WITH old AS (SELECT id, key_hash, CASE WHEN previous_until > now() THEN previous_hash END AS older FROM api_key
                        WHERE user_id = $1 AND id = $2 AND ${WORKS} FOR NO KEY UPDATE),
              k AS (UPDATE api_key r SET key_hash = $3, hint = $4, previous_hash = old.key_hash, previous_until = now() + make_interval(secs => $5)
                      FROM old WHERE r.id = old.id RETURNING r.*, old.older)
         SELECT ${KEY}, (SELECT event_add(array_agg('credential.ends'::text), array_agg('secret:' || encode(e.hash, 'hex')),
                                          array_agg(jsonb_build_object('atMs', extract(epoch FROM e.at) * 1000)))
                           FROM (VALUES (k.previous_hash, k.previous_until), (k.older, now())) AS e (hash, at) WHERE e.hash IS NOT NULL) FROM k`;
const REVOKE = sql`SELECT api_key_revoke(ARRAY(SELECT id FROM api_key WHERE ${CHOSEN} AND num_nonnulls($1, $2, $3) > 0 AND revoked_at IS NULL), now())`;
const LIST_CHOSEN = sql`SELECT ${KEY} FROM api_key k WHERE ${CHOSEN} ORDER BY k.created_at DESC, k.id DESC LIMIT $4`;

/** Days for which the owner sees ended keys; a page shows the latest of them only. */
const ENDED_KEPT_DAYS = 90;
const PURGE = sql`DELETE FROM api_key WHERE id IN (
         SELECT k.id FROM api_key k WHERE least(k.revoked_at, k.expires_at) < now() - make_interval(days => ${ENDED_KEPT_DAYS})
          LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING id`;

/** How long the old secret of a rolled key may work, in seconds: not at all, an hour, a day, a week. */
export const OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

const works = ({ revoked, expired }: ApiKeyRow): boolean => !revoked && !expired;

@Injectable()
export class ApiKeyService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
    readonly rules: KeyRules,
    private readonly limits: SpendingLimits,
  ) {}

  async create(wanted: NewApiKey, tx: Tx = this.database): Promise<ApiKeyCreateOutcome> {
    const { userId, name, expireInDays, manageCallbacks = false } = wanted;
    const [fault, ...more] = this.rules.faultsOf(wanted);
    if (fault) return { kind: 'invalid', faults: [fault, ...more] };
    const scopes = this.rules.scopes().filter((scope) => wanted.scopes.includes(scope));
    const secret = mintToken(this.config.tokenPrefix);
    const key = {
      id: newId(),
      userId,
      name: name.trim(),
      scopes,
      keyHash: hashToken(secret),
      hint: this.hintOf(secret),
      clientId: wanted.by?.clientId ?? null,
      grantId: wanted.by?.grantId ?? null,
      manageCallbacks,
    };
    const values = [...NEW_KEY.valuesOf(key), expireInDays];
    const [apiKey] = await tx.query<ApiKeyRow>(ADD, values);
    if (apiKey) {
      // Before anyone has the secret.
      if (wanted.limit) await this.limits.changeWithin(tx, apiKey, { [wanted.limit.window]: wanted.limit.limitSats });
      if (wanted.askAbove && asks(wanted.askAbove)) await this.limits.askWithin(tx, apiKey, wanted.askAbove);
      return { kind: 'created', apiKey, secret };
    }
    const full = (await this.list(userId, tx)).filter(works).length >= MAX_KEYS;
    return full ? { kind: 'too_many', limit: MAX_KEYS } : { kind: 'disconnected' };
  }

  list(userId: string, tx: Tx = this.database): Promise<ApiKeyRow[]> {
    return tx.query<ApiKeyRow>(LIST, [userId]);
  }

  /** Null also for another person's key, and for one that the app has not created. @param clientId undefined: the person asks */
  async find(userId: string, id: string, clientId?: string, tx: Tx = this.database): Promise<ApiKeyRow | null> {
    if (!isUuid(id)) return null;
    return (await tx.query<ApiKeyRow>(FIND, [userId, id, clientId]))[0] ?? null;
  }

  /** Permanent. This process refuses the key at once, all others within a second; sockets that it opened close. Idempotent. */
  async revoke(userId: string, id: string, clientId?: string): Promise<ApiKeyRevokeOutcome> {
    if (isUuid(id)) await this.revokeChosen({ id, userId, clientId });
    const apiKey = await this.find(userId, id, clientId);
    return apiKey ? { kind: 'revoked', apiKey } : { kind: 'not_found' };
  }

  /** A new secret for a key that works; the old one works for so much longer. Expiry, permissions, limits and webhooks stay. */
  async roll(userId: string, id: string, overlapSeconds: number): Promise<ApiKeyRollOutcome> {
    if (!OVERLAPS.some((each) => each === overlapSeconds)) return { kind: 'invalid' };
    const secret = mintToken(this.config.tokenPrefix);
    const values = [userId, id, hashToken(secret), this.hintOf(secret), overlapSeconds];
    const [apiKey] = isUuid(id) ? await this.database.query<ApiKeyRow>(ROLL, values) : [];
    if (!apiKey) return { kind: 'not_found' };
    await this.events.delivered();
    return { kind: 'rolled', apiKey, secret };
  }

  listChosen({ id, userId, clientId }: ChosenKeys, limit: number): Promise<ApiKeyRow[]> {
    return this.database.query<ApiKeyRow>(LIST_CHOSEN, [id, userId, clientId, limit]);
  }

  /** Also of an app that is suspended. @param tx of a caller that awaits `Events.delivered` after its commit */
  async revokeChosen({ id, userId, clientId }: ChosenKeys, tx: Tx = this.database): Promise<number> {
    const { length } = await tx.query(REVOKE, [id, userId, clientId]);
    if (length > 0 && tx === this.database) await this.events.delivered();
    return length;
  }

  /** Those that work. @param clientId only those that this app created */
  async listInUse(userId: string, clientId?: string): Promise<ApiKeyRow[]> {
    return (await this.list(userId)).filter((key) => works(key) && (clientId === undefined || key.clientId === clientId));
  }

  /** Sets and removes limits, all or none. A limit counts also what the key has spent before. */
  async changeLimits(
    userId: string,
    id: string,
    change: LimitsChange,
    clientId?: string,
    tx: Tx = this.database,
  ): Promise<ApiKeyLimitOutcome> {
    if (!isLimitsChange(change)) return { kind: 'invalid' };
    if (tx === this.database) return this.database.transaction((inner) => this.changeLimits(userId, id, change, clientId, inner));
    // A key never changes its owner, so what is found is still the person's when its limit changes.
    const apiKey = await this.find(userId, id, clientId, tx);
    if (!apiKey) return { kind: 'not_found' };
    if (!works(apiKey)) return { kind: 'ended' };
    if (apiKey.clientId !== null && !(await mayChangeLimits(tx, this.limits, id, change, clientId))) return { kind: 'of_owner' };
    await this.limits.changeWithin(tx, apiKey, change);
    return { kind: 'changed', apiKey };
  }

  /** A key's budget has the key's id, as its payments do. */
  loadBudget(id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  askOf(id: string): Promise<AskAbove> {
    return this.limits.askOf(id);
  }

  /** Only the owner does this, on a page: neither the key nor an app. @returns false if the key has ended, or is not theirs */
  async changeAsk(userId: string, id: string, ask: AskAbove): Promise<boolean> {
    const apiKey = await this.find(userId, id);
    if (!apiKey || !works(apiKey)) return false;
    await this.limits.askWithin(this.database, apiKey, ask);
    return true;
  }

  limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.limits.limitsOf(ids);
  }

  /** Adds notices about keys that expire soon or are not used. */
  async announce(): Promise<void> {
    await this.database.query(ANNOUNCE);
  }

  /** Deletes keys that ended long ago, with their budgets: people and apps may make and revoke any number. */
  async purge(signal?: AbortSignal): Promise<void> {
    while ((await this.database.transaction((tx) => this.purgeBatch(tx))) === DELETED_AT_ONCE && !signal?.aborted);
  }

  private async purgeBatch(tx: Tx): Promise<number> {
    const ids = (await tx.query<{ readonly id: string }>(PURGE)).map(({ id }) => id);
    await this.limits.forget(tx, ids);
    return ids.length;
  }

  private hintOf(secret: string): string {
    return `${secret.slice(0, this.config.tokenPrefix.length + 1 + HINT_START)}…${secret.slice(-HINT_END)}`;
  }
}
