import { Injectable } from '@nestjs/common';
import {
  BatchLoader,
  columns,
  Database,
  DELETED_AT_ONCE,
  deleteInBatches,
  fragment,
  mayTakeLong,
  queryOne,
  sql,
  type RowOf,
  type Tx,
} from '../../platform/database/index.js';
import { EgressClient, type EgressRefusal } from '../../edge/egress/index.js';
import { Jobs } from '../../platform/job/index.js';
import { FairSlots } from '../../platform/kernel/fair-slots.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { MAX_WAITING_OF_ENDPOINT } from './delivery.store.js';
import { EndpointSecrets } from './signing-secret.js';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook.entity.js';

const HEALTH = ['waiting', 'lastAttemptAt', 'lastStatus', 'lastError', 'failingSince', 'disabledAt'] as const;
const ENDPOINT_COLUMNS = columns(WebhookEndpointEntity).only('id', 'url', 'previousUntil', 'createdAt', 'apiKeyId', ...HEALTH);

/** An endpoint as its owner sees it. The secret is shown when it is made only. */
export interface WebhookEndpointRow extends RowOf<typeof ENDPOINT_COLUMNS> {
  /** Null also for a key that ended so long ago that it is no longer kept. */
  readonly apiKeyName: string | null;
}

const DELIVERY_COLUMNS = columns(WebhookDeliveryEntity).except('body');

export type WebhookDeliveryRow = RowOf<typeof DELIVERY_COLUMNS>;

export const URL_REFUSALS: Readonly<Record<EgressRefusal['reason'], string>> = {
  invalid_url: 'Enter a URL such as https://shop.example/hooks, with at most 2048 characters, and without a user name or password',
  not_https: 'Use https: http works only for networks that the operator of this server allows (in a demo, this machine)',
  address_not_public: 'Use a public address: this one leads to a network that the operator of this server does not allow',
};

export type EndpointAddOutcome =
  { readonly kind: 'added'; readonly id: string; readonly secret: string } | EgressRefusal | { readonly kind: 'too_many' };

/** `waiting`: an attempt is in flight; `too_many`: too many deliveries of the endpoint wait. */
export type ReplayOutcome = 'replayed' | 'not_found' | 'waiting' | 'too_many';

/** Each event of an account is delivered to all of its endpoints. */
export const MAX_ENDPOINTS = 10;
/** Both secrets sign for this long after a rotation. */
export const OVERLAP_HOURS = 24;
export const MAX_LISTED_DELIVERIES = 50;
/** Names of new endpoints that are looked up at the same time. */
const MAX_LOOKUPS = 32;
const CLEANUP_EVERY_SECONDS = 3_600;
/** Of deliveries that have ended. */
const KEPT_DAYS = 30;

const ADD = sql`SELECT webhook_endpoint_add_v2($1, $2, $3, $4, ${MAX_ENDPOINTS}, $5) AS added`;
const OWN = fragment`e.account_id = $1 AND e.id = $2 AND ($3::uuid IS NULL OR e.api_key_id = $3)`;
const DELETE = sql`DELETE FROM webhook_endpoint e WHERE ${OWN} RETURNING e.id`;
const DELETE_DELIVERIES = sql`DELETE FROM webhook_delivery WHERE id IN (
        SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE ${OWN}
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE OF d SKIP LOCKED) RETURNING 1`;
const DELETE_ALL = mayTakeLong(sql`DELETE FROM webhook_endpoint e USING account a WHERE a.id = e.account_id AND a.user_id = $1`);
const LIST = sql`SELECT ${ENDPOINT_COLUMNS.of('e')}, k.name AS "apiKeyName" FROM webhook_endpoint e LEFT JOIN api_key k ON k.id = e.api_key_id WHERE e.account_id = $1 AND ($2::uuid IS NULL OR e.api_key_id = $2) ORDER BY e.created_at, e.id`;
const ROTATE = sql`UPDATE webhook_endpoint SET secret = $3, previous_secret = secret, previous_until = now() + make_interval(hours => ${OVERLAP_HOURS})
          WHERE account_id = $1 AND id = $2 RETURNING id`;
const ENABLE = sql`UPDATE webhook_endpoint SET disabled_at = NULL WHERE account_id = $1 AND id = $2 RETURNING id`;
const LATEST = sql`SELECT ${DELIVERY_COLUMNS.of('d')} FROM unnest($1::uuid[]) AS i (endpoint_id)
          CROSS JOIN LATERAL (SELECT * FROM webhook_delivery w WHERE w.endpoint_id = i.endpoint_id ORDER BY w.sequence DESC LIMIT ${MAX_LISTED_DELIVERIES}) d
          ORDER BY d.sequence DESC`;
const PURGE = sql`DELETE FROM webhook_delivery WHERE id IN (
        SELECT d.id FROM webhook_delivery d WHERE d.state <> 'waiting' AND d.ended_at < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;
const FORGET_PREVIOUS = sql`UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL WHERE previous_until < now()`;
const REPLAY = sql`SELECT webhook_replay($1, $2, ${MAX_WAITING_OF_ENDPOINT}) AS outcome`;
const TEST = sql`SELECT webhook_test($1, $2, ${MAX_WAITING_OF_ENDPOINT}) AS outcome`;

@Injectable()
export class WebhookService {
  private readonly lookups = new FairSlots(MAX_LOOKUPS);
  private readonly latest: BatchLoader<readonly WebhookDeliveryRow[]>;

  constructor(
    private readonly database: Database,
    private readonly egress: EgressClient,
    private readonly secrets: EndpointSecrets,
    jobs: Jobs,
  ) {
    jobs.schedule('webhook_cleanup', { everySeconds: CLEANUP_EVERY_SECONDS, atStart: true }, async ({ signal }) => {
      await database.query(FORGET_PREVIOUS);
      await deleteInBatches(database, PURGE, [], signal);
    });
    this.latest = new BatchLoader<readonly WebhookDeliveryRow[]>(async (ids) => {
      const rows = await this.database.query<WebhookDeliveryRow>(LATEST, [ids]);
      return ids.map((id) => rows.filter(({ endpointId }) => endpointId === id));
    });
  }

  /** By the rules of deliveries. It waits for DNS, so it is no part of a transaction; without a free slot the name is judged by its deliveries alone. */
  async refusalOf(accountId: string, url: string): Promise<EgressRefusal | undefined> {
    const release = this.lookups.take(accountId);
    return release ? this.egress.refusalNow(url).finally(release) : this.egress.refusalOf(url);
  }

  /**
   * @param url that `refusalOf` does not refuse
   * @param apiKeyId of the key that adds it; here and below null: the whole account acts
   */
  async add(accountId: string, url: string, apiKeyId: string | null = null, tx: Tx = this.database): Promise<EndpointAddOutcome> {
    const id = newId();
    const { text, encrypted } = this.secrets.make(id);
    const { added } = await queryOne<{ added: boolean }>(tx, ADD, [id, accountId, url, encrypted, apiKeyId]);
    return added ? { kind: 'added', id, secret: text } : { kind: 'too_many' };
  }

  list(accountId: string, apiKeyId: string | null = null): Promise<WebhookEndpointRow[]> {
    return this.database.query<WebhookEndpointRow>(LIST, [accountId, apiKeyId]);
  }

  /** Null also for an endpoint of another account. */
  async find(accountId: string, id: string): Promise<WebhookEndpointRow | null> {
    return (await this.list(accountId)).find((endpoint) => endpoint.id === id.toLowerCase()) ?? null;
  }

  /**
   * Before `delete`, and outside of its transaction: the deliveries of a month in one statement could take longer than it may, and would hold
   * up the webhooks of all accounts meanwhile.
   */
  async deleteDeliveries(accountId: string, id: string, apiKeyId: string | null = null): Promise<void> {
    if (isUuid(id)) await deleteInBatches(this.database, DELETE_DELIVERIES, [accountId, id, apiKeyId]);
  }

  async delete(accountId: string, id: string, apiKeyId: string | null = null, tx: Tx = this.database): Promise<boolean> {
    return isUuid(id) && (await tx.query(DELETE, [accountId, id, apiKeyId])).length > 0;
  }

  async deleteAll(tx: Tx, userId: string): Promise<void> {
    await tx.query(DELETE_ALL, [userId]);
  }

  /**
   * Makes a new secret. The one that it replaces signs beside it for a day; one that was replaced before that ends now.
   * @returns null if the account has no such endpoint
   */
  async rotate(accountId: string, id: string): Promise<string | null> {
    if (!isUuid(id)) return null;
    const { text, encrypted } = this.secrets.make(id.toLowerCase());
    const rotated = await this.database.query(ROTATE, [accountId, id, encrypted]);
    return rotated.length > 0 ? text : null;
  }

  /** Deliveries that ended while it was disabled stay as they are: each can be replayed. @returns false if the account has no such endpoint */
  async enable(accountId: string, id: string): Promise<boolean> {
    return isUuid(id) && (await this.database.query(ENABLE, [accountId, id])).length > 0;
  }

  /** The latest, newest first. The caller has the endpoint from `list` or `find`, which know its owner. */
  deliveriesOf(endpointId: string): Promise<readonly WebhookDeliveryRow[]> {
    return this.latest.load(endpointId);
  }

  /** Sends `webhook.test` to one endpoint, in a delivery as every other. A disabled one gets a single attempt. */
  async sendTest(accountId: string, id: string): Promise<ReplayOutcome> {
    if (!isUuid(id)) return 'not_found';
    return (await queryOne<{ outcome: ReplayOutcome }>(this.database, TEST, [accountId, id])).outcome;
  }

  /** Delivers again what has ended, and now what waits, under the same `webhook-id`. */
  async replay(accountId: string, deliveryId: string, tx: Tx = this.database): Promise<ReplayOutcome> {
    if (!isUuid(deliveryId)) return 'not_found';
    return (await queryOne<{ outcome: ReplayOutcome }>(tx, REPLAY, [accountId, deliveryId])).outcome;
  }
}
