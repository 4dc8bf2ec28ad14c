import { columnsOf, queryOne, sql, type Tx } from '../../platform/database/index.js';

/** Each owner of webhooks has a share of the attempts, and a bound of what waits. */
export interface WebhookOwner {
  readonly id: string;
  readonly isAnonymous: boolean;
}

/** Deliveries of an endpoint that wait. Those beyond it fail at once, and can be replayed. */
export const MAX_WAITING_OF_ENDPOINT = 10_000;

export interface WebhookEvent {
  readonly type: `${'receive' | 'send'}.${'lightning' | 'intraledger' | 'onchain'}` | `invoice.${'paid' | 'expired'}`;
  readonly body: string;
}

export interface SingleWebhook extends WebhookEvent {
  readonly url: string;
  readonly walletId: string;
  readonly ownerId: string;
  readonly isAnonymous: boolean;
}

// Both lock owners in the order of their ids, as they are sorted before the function is called, and the deliveries of one keep their order.
const ENQUEUE = sql`SELECT webhook_enqueue(e.owner_id, e.type, e.body, ${MAX_WAITING_OF_ENDPOINT})
          FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS n (owner_id, type, body, nth) ORDER BY owner_id, nth) e`;
const ENQUEUE_ONCE = sql`SELECT array_agg(made.made ORDER BY e.nth) AS made
           FROM (SELECT * FROM unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::text[], $5::text[], $6::text[])
                   WITH ORDINALITY AS n (owner_id, is_anonymous, wallet_id, url, type, body, nth) ORDER BY owner_id, nth) e
          CROSS JOIN LATERAL webhook_enqueue_once(e.owner_id, e.is_anonymous, e.wallet_id, e.url, e.type, e.body, e.type = 'invoice.expired') AS made (made)`;

/** One delivery of each event for each endpoint of its account, in the caller's transaction. */
export async function enqueue(tx: Tx, events: readonly (WebhookEvent & { readonly accountId: string })[]): Promise<void> {
  await tx.query(ENQUEUE, columnsOf(events, 'accountId', 'type', 'body'));
}

/**
 * One unsigned delivery to each of at least one URL, in the caller's transaction.
 * @returns for each false if too many deliveries of its owner wait, or of too many callers without a credential: none is made
 */
export async function enqueueOnce(tx: Tx, webhooks: readonly SingleWebhook[]): Promise<readonly boolean[]> {
  const values = columnsOf(webhooks, 'ownerId', 'isAnonymous', 'walletId', 'url', 'type', 'body');
  return (await queryOne<{ made: readonly boolean[] }>(tx, ENQUEUE_ONCE, values)).made;
}
