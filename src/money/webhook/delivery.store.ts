import { columnsOf, DELETED_AT_ONCE, deleteInBatches, sql, type Database, type Tx } from '../../platform/database/index.js';

/** Each owner of webhooks has a share of the attempts, and a bound of what waits. */
export interface WebhookOwner {
  readonly id: string;
  readonly isAnonymous: boolean;
}

/** Deliveries of an endpoint that wait. Those beyond it fail at once, and can be replayed. */
export const MAX_WAITING_OF_ENDPOINT = 10_000;
/** Webhooks of invoices that wait, of one owner. Those beyond it are not sent. */
const MAX_WAITING_OF_OWNER = { known: 10_000, anonymous: 1_000 } as const;
/** Callers without a credential that have any: an attacker may have thousands of addresses. */
const MAX_ANONYMOUS_OWNERS = 1_000;

/** `owners` is null for any number. Half as many webhooks of expired invoices may wait: they cost their caller nothing, and must not displace those of paid ones. */
function waitingBoundsOf({ isAnonymous }: WebhookOwner, isLater: boolean): { webhooks: number; owners: number | null } {
  const share = isLater ? 2 : 1;
  return isAnonymous
    ? { webhooks: MAX_WAITING_OF_OWNER.anonymous / share, owners: MAX_ANONYMOUS_OWNERS / share }
    : { webhooks: MAX_WAITING_OF_OWNER.known / share, owners: null };
}

export interface WebhookEvent {
  readonly type: `${'receive' | 'send'}.${'lightning' | 'intraledger'}` | `invoice.${'paid' | 'expired'}`;
  readonly body: string;
}

export interface SingleWebhook {
  readonly url: string;
  readonly walletId: string;
  readonly owner: WebhookOwner;
  /** It comes after first attempts. */
  readonly isLater: boolean;
  readonly event: WebhookEvent;
}

interface AccountEvent extends WebhookEvent {
  readonly accountId: string;
}

const WITH_ENDPOINTS = sql`SELECT DISTINCT account_id AS "accountId" FROM webhook_endpoint WHERE account_id = ANY ($1::uuid[])`;
// Both lock owners in the order of their ids, as they are sorted before the function is called, and the deliveries of one keep their order.
const ENQUEUE = sql`SELECT webhook_enqueue(e.owner_id, e.type, e.body, ${MAX_WAITING_OF_ENDPOINT})
          FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS n (owner_id, type, body, nth) ORDER BY owner_id, nth) e`;
const ENQUEUE_ONCE = sql`SELECT array_agg(made.made ORDER BY e.nth) AS made
           FROM (SELECT * FROM unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::integer[], $9::integer[])
                   WITH ORDINALITY AS n (owner_id, is_anonymous, wallet_id, url, type, body, is_later, webhooks, owners, nth) ORDER BY owner_id, nth) e
          CROSS JOIN LATERAL webhook_enqueue_once(e.owner_id, e.is_anonymous, e.wallet_id, e.url, e.type, e.body, e.is_later, e.webhooks, e.owners) AS made (made)`;

/** @returns the accounts that have an endpoint */
export const withEndpoints = async (tx: Tx, accountIds: readonly string[]): Promise<string[]> =>
  (await tx.query<{ accountId: string }>(WITH_ENDPOINTS, [accountIds])).map(({ accountId }) => accountId);

/** One delivery of each event for each endpoint of its account, in the caller's transaction. */
export async function enqueue(tx: Tx, events: readonly AccountEvent[]): Promise<void> {
  await tx.query(ENQUEUE, columnsOf(events, 'accountId', 'type', 'body'));
}

/**
 * One unsigned delivery to each URL, in the caller's transaction.
 * @returns for each false if too many deliveries of its owner wait, or of too many callers without a credential: none is made
 */
export async function enqueueOnce(tx: Tx, webhooks: readonly SingleWebhook[]): Promise<readonly boolean[]> {
  const rows = webhooks.map(({ owner, event, ...webhook }) => ({
    ...webhook,
    ...event,
    ...waitingBoundsOf(owner, webhook.isLater),
    ownerId: owner.id,
    isAnonymous: owner.isAnonymous,
  }));
  const names = ['ownerId', 'isAnonymous', 'walletId', 'url', 'type', 'body', 'isLater', 'webhooks', 'owners'] as const;
  const [row] = await tx.query<{ made: readonly boolean[] | null }>(ENQUEUE_ONCE, columnsOf(rows, ...names));
  return row?.made ?? [];
}

const KEPT_DAYS = 30;
const PURGE = sql`DELETE FROM webhook_delivery WHERE id IN (
        SELECT d.id FROM webhook_delivery d WHERE d.state <> 'waiting' AND d.ended_at < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;
const FORGET_PREVIOUS = sql`UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL WHERE previous_until < now()`;

/** Deletes deliveries that have ended, and secrets whose time is over. */
export async function purgeWebhooks(database: Database, signal: AbortSignal): Promise<void> {
  await database.query(FORGET_PREVIOUS);
  await deleteInBatches(database, PURGE, [], signal);
}
