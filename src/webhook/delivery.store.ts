import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf, type Tx } from '../database/index.js';
import { WebhookDeliveryEntity } from './delivery.entity.js';
import type { WebhookEndpointEntity } from './endpoint.entity.js';
import type { WebhookEvent } from './event-body.js';
import { MAX_WAITING } from './webhook.service.js';

const ATTEMPT = columns(WebhookDeliveryEntity).only('id', 'endpointId', 'sequence', 'body', 'failures', 'claim');

/** An attempt that this process has claimed. The previous secret is null once its time is over. */
export interface ClaimedAttempt extends RowOf<typeof ATTEMPT>, Pick<WebhookEndpointEntity, 'url' | 'secret' | 'previousSecret'> {
  /** The account, or the wallet of an invoice: each has its share of the attempts. */
  readonly ownerId: string;
}

/** How an attempt ended. */
export interface AttemptResult {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** Until the next attempt; null: it was the last one. */
  readonly pauseSeconds: number | null;
}

const WITH_ENDPOINTS = sql`SELECT DISTINCT account_id AS "accountId" FROM webhook_endpoint WHERE account_id = ANY ($1::uuid[])`;
const ENQUEUE = sql`SELECT webhook_enqueue($1, $2, $3, ${MAX_WAITING})`;
const ENQUEUE_ONCE = sql`SELECT webhook_enqueue_once($1, $2, $3, $4, ${MAX_WAITING}) AS made`;
const CLAIM = sql`SELECT ${ATTEMPT.of('d')}, coalesce(e.account_id, e.wallet_id) AS "ownerId", e.url, e.secret, CASE WHEN e.previous_until > now() THEN e.previous_secret END AS "previousSecret"
           FROM webhook_claim($1, $2, $3) d JOIN webhook_endpoint e ON e.id = d.endpoint_id`;
const FINISH = sql`SELECT webhook_finish($1, $2, $3, $4, $5, $6) AS state`;
const RELEASE = sql`SELECT webhook_release($1, $2, $3)`;
const COUNT = sql`SELECT coalesce(sum(waiting), 0)::int AS count FROM webhook_endpoint WHERE due_at IS NOT NULL`;

/** The deliveries in the database. Each call is one statement. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly database: Database) {}

  /** Those of the accounts that have an endpoint. */
  async withEndpoints(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
    return (await tx.query<{ accountId: string }>(WITH_ENDPOINTS, [accountIds])).map(({ accountId }) => accountId);
  }

  /** One delivery for each endpoint of the account, in the caller's transaction. */
  async enqueue(tx: Tx, accountId: string, { type, body }: WebhookEvent): Promise<void> {
    await tx.query(ENQUEUE, [accountId, type, body]);
  }

  /**
   * One unsigned delivery to a URL, for what concerns a wallet, in the caller's transaction.
   * @returns false if too many deliveries of this wallet wait: none is made
   */
  async enqueueOnce(tx: Tx, walletId: string, url: string, { type, body }: WebhookEvent): Promise<boolean> {
    const [row] = await tx.query<{ made: boolean }>(ENQUEUE_ONCE, [walletId, url, type, body]);
    return row?.made ?? false;
  }

  /**
   * Up to two attempts of each endpoint: the first one of a delivery, and a repeated one.
   * @param seconds after which others may claim them
   * @param without owners whose endpoints are left out
   */
  claim(endpoints: number, seconds: number, without: readonly string[]): Promise<ClaimedAttempt[]> {
    return this.database.query<ClaimedAttempt>(CLAIM, [endpoints, seconds, without]);
  }

  /** @returns null if the claim was lost, and nothing is stored */
  async finish({ id, claim }: ClaimedAttempt, { isDelivered, status, error, pauseSeconds }: AttemptResult): Promise<string | null> {
    const [finished] = await this.database.query<{ state: string | null }>(FINISH, [id, claim, isDelivered, status, error, pauseSeconds]);
    return finished?.state ?? null;
  }

  /** Gives a claim back without an attempt. */
  async release({ id, claim }: ClaimedAttempt, pauseSeconds: number): Promise<void> {
    await this.database.query(RELEASE, [id, claim, pauseSeconds]);
  }

  async countWaiting(): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT))[0]?.count ?? 0;
  }
}
