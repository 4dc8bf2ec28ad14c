import { Injectable } from '@nestjs/common';
import { Database, fragment, sql, type Statement, type Tx } from '../database/index.js';
import type { WebhookDeliveryEntity } from './delivery.entity.js';
import type { WebhookEndpointEntity } from './endpoint.entity.js';
import type { WebhookEvent } from './event-body.js';
import { waitingBoundsOf, type WebhookOwner } from './webhook-owner.js';
import { MAX_WAITING_OF_ENDPOINT } from './webhook.service.js';

type ClaimedDelivery = Pick<WebhookDeliveryEntity, 'id' | 'endpointId' | 'ownerId' | 'sequence' | 'body' | 'failures' | 'claim'>;

/** An attempt that this process has claimed. The previous secret is null once its time is over. */
export interface ClaimedAttempt extends ClaimedDelivery, Pick<WebhookEndpointEntity, 'url' | 'secret' | 'previousSecret'> {}

/** Which attempts: each kind has a line of owners. */
export interface AttemptKind {
  /** Repeats, replays, and webhooks of invoices that have expired. */
  readonly isLater: boolean;
  /** Webhooks of invoices that callers without a credential asked for. */
  readonly isAnonymous: boolean;
}

/** The webhook of a single invoice. */
export interface SingleWebhook {
  readonly url: string;
  /** That the invoice pays into. */
  readonly walletId: string;
  readonly owner: WebhookOwner;
  /** It comes after first attempts. */
  readonly isLater: boolean;
  readonly event: WebhookEvent;
}

/** What the endpoints of an account get. */
export interface AccountEvent extends WebhookEvent {
  readonly accountId: string;
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
// Both lock owners in the order of their ids, as they are sorted before the function is called, and the deliveries of one keep their order.
const ENQUEUE = sql`SELECT webhook_enqueue(e.owner_id, e.type, e.body, ${MAX_WAITING_OF_ENDPOINT})
          FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS n (owner_id, type, body, nth) ORDER BY owner_id, nth) e`;
const ENQUEUE_ONCE = sql`SELECT array_agg(made.made ORDER BY e.nth) AS made
           FROM (SELECT * FROM unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::integer[], $9::integer[])
                   WITH ORDINALITY AS n (owner_id, is_anonymous, wallet_id, url, type, body, is_later, webhooks, owners, nth) ORDER BY owner_id, nth) e
          CROSS JOIN LATERAL webhook_enqueue_once(e.owner_id, e.is_anonymous, e.wallet_id, e.url, e.type, e.body, e.is_later, e.webhooks, e.owners) AS made (made)`;
/** $1: of callers without a credential, $2: owners at most, $3: without these, $4: seconds of the claim. An owner that another process has is left to it. */
const claimOf = (line: 'first' | 'later'): Statement => {
  const at = line === 'first' ? fragment`first_at` : fragment`later_at`;
  return sql`SELECT d.id, d.endpoint_id AS "endpointId", turn.owner_id AS "ownerId", d.sequence, d.body, d.failures, d.claim, d.url, d.secret, d.previous_secret AS "previousSecret"
    FROM (SELECT q.owner_id FROM webhook_queue q WHERE q.is_anonymous = $1 AND q.${at} <= now() AND q.owner_id <> ALL ($3::uuid[])
           ORDER BY q.${at} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) turn
   CROSS JOIN LATERAL webhook_claim(turn.owner_id, ${line === 'first' ? fragment`false` : fragment`true`}, $4) d`;
};
const CLAIM = { first: claimOf('first'), later: claimOf('later') };
const FINISH = sql`SELECT webhook_finish($1, $2, $3, $4, $5, $6) AS state`;
const RELEASE = sql`SELECT webhook_release($1, $2, $3)`;
const COUNT = sql`SELECT count(d.id) FILTER (WHERE NOT q.is_anonymous)::int AS known, count(d.id) FILTER (WHERE q.is_anonymous)::int AS anonymous
           FROM webhook_queue q JOIN webhook_delivery d ON d.owner_id = q.owner_id WHERE d.state = 'waiting'`;

/** The deliveries in the database. Each call is one statement. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly database: Database) {}

  /** Those of the accounts that have an endpoint. */
  async withEndpoints(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
    return (await tx.query<{ accountId: string }>(WITH_ENDPOINTS, [accountIds])).map(({ accountId }) => accountId);
  }

  /** One delivery of each event for each endpoint of its account, in the caller's transaction. */
  async enqueue(tx: Tx, events: readonly AccountEvent[]): Promise<void> {
    await tx.query(ENQUEUE, [events.map(({ accountId }) => accountId), events.map(({ type }) => type), events.map(({ body }) => body)]);
  }

  /**
   * One unsigned delivery to each URL, in the caller's transaction.
   * @returns for each false if too many deliveries of its owner wait, or of too many callers without a credential: none is made
   */
  async enqueueOnce(tx: Tx, webhooks: readonly SingleWebhook[]): Promise<readonly boolean[]> {
    const bounds = webhooks.map(({ owner, isLater }) => waitingBoundsOf(owner, isLater));
    const [row] = await tx.query<{ made: readonly boolean[] | null }>(ENQUEUE_ONCE, [
      webhooks.map(({ owner }) => owner.id),
      webhooks.map(({ owner }) => owner.isAnonymous),
      webhooks.map(({ walletId }) => walletId),
      webhooks.map(({ url }) => url),
      webhooks.map(({ event }) => event.type),
      webhooks.map(({ event }) => event.body),
      webhooks.map(({ isLater }) => isLater),
      bounds.map(({ webhooks: most }) => most),
      bounds.map(({ owners }) => owners),
    ]);
    return row?.made ?? [];
  }

  /**
   * One attempt of each owner whose turn it is, in the order of the line.
   * @param seconds after which others may claim them
   * @param without owners that get none now
   */
  claim(
    { isLater, isAnonymous }: AttemptKind,
    max: number,
    { seconds, without }: { readonly seconds: number; readonly without: readonly string[] },
  ): Promise<ClaimedAttempt[]> {
    return this.database.query<ClaimedAttempt>(CLAIM[isLater ? 'later' : 'first'], [isAnonymous, max, without, seconds]);
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

  async countWaiting(): Promise<Record<'known' | 'anonymous', number>> {
    return (await this.database.query<Record<'known' | 'anonymous', number>>(COUNT))[0] ?? { known: 0, anonymous: 0 };
  }
}
