import { Injectable } from '@nestjs/common';
import { columnsOf, Database, WaryLane, type Statement } from '../database/index.js';
import { Metrics } from '../metrics/index.js';

/** A payment that is due to be asked for. */
export interface DuePayment {
  readonly id: string;
  readonly payment_hash: string;
  readonly node_id: string;
  /** The node has said that it is under way: from then on, what it says of the hash is about this payment. */
  readonly seen: boolean;
  /** It is so old that its dispatcher has handed it over or never will. What was handed over may still be on its way to the node. */
  readonly lease_over: boolean;
}

/** A payment whose money was given back; its node may know better. */
export interface FailedPaymentRow {
  readonly id: string;
  readonly payment_hash: string;
  readonly node_id: string;
  readonly finished_at: Date;
}

/** A payment that is to be sent, and the name of the one attempt to send it. */
export interface DispatchClaim {
  readonly id: string;
  readonly token: string;
}

/** `payment_dispatch` says what each means. */
export type DispatchVerdict = 'taken' | 'refused' | 'locked';

/** What may be done about a payment that the node does not know; `payment_not_found` says what each means. */
export type NotFoundVerdict = 'held' | 'unsent' | 'failed' | 'lost';

/** How far a node had counted its payments when it was last asked. */
export interface NodeMark {
  readonly payment_index: bigint;
}

const DUE_COLUMNS = (lease: string): string =>
  `id, payment_hash, node_id, seen_in_flight AS seen, created_at <= now() - make_interval(secs => ${lease}) AS lease_over`;

const DISPATCH: Statement = { name: 'payment_dispatch', text: 'SELECT payment_dispatch($1::uuid[], $2::uuid[], $3) AS codes' };
const SEEN: Statement = { name: 'payment_seen', text: 'SELECT payment_seen($1::uuid[], $2) AS codes' };
const DUE: Statement = { name: 'payment_due', text: `SELECT ${DUE_COLUMNS('$3')} FROM payment_due($1, $2)` };
const NOT_FOUND: Statement = { name: 'payment_not_found', text: 'SELECT payment_not_found($1, $2, $3, $4) AS verdict' };
const OPEN_BY_HASH: Statement = {
  name: 'payment_open_by_hash',
  text: `SELECT ${DUE_COLUMNS('$2')} FROM payment WHERE payment_hash = $1 AND state = 'in_flight'`,
};
// The sub-select comes first and alone: what is as it should be costs a look into the index of live payments.
export const RELEASED_BY_HASH: Statement = {
  name: 'payment_released_by_hash',
  text: `SELECT id FROM payment WHERE payment_hash = $1 AND state = 'failed' AND NOT (SELECT EXISTS (SELECT FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')))
          ORDER BY created_at DESC LIMIT 1`,
};
const FAILED_PAGE: Statement = {
  name: 'payment_failed_page',
  text: `SELECT id, payment_hash, node_id, finished_at FROM payment
          WHERE state = 'failed' AND (finished_at, id) < ($1::timestamptz, $2::uuid) AND finished_at > now() - make_interval(days => $3)
          ORDER BY finished_at DESC, id DESC LIMIT $4`,
};
const MARK: Statement = { name: 'payment_node_mark', text: 'SELECT payment_index FROM payment_node WHERE node_id = $1' };
// Written only where the mark is still the one that was read before the node was asked: then a smaller index is a smaller index.
const SET_MARK: Statement = {
  name: 'payment_node_set_mark',
  text: `INSERT INTO payment_node AS n (node_id, payment_index) VALUES ($1, $2) ON CONFLICT (node_id) DO UPDATE
            SET payment_index = $2, unbroken_since = CASE WHEN $2 < n.payment_index THEN now() ELSE n.unbroken_since END
          WHERE n.payment_index = $3`,
};
const IN_FLIGHT_BY_AGE: Statement = {
  name: 'payment_in_flight_by_age',
  text: `SELECT CASE WHEN age < interval '1 minute' THEN 'under 1m' WHEN age < interval '10 minutes' THEN '1m to 10m'
                     WHEN age < interval '1 hour' THEN '10m to 1h' WHEN age < interval '1 day' THEN '1h to 1d' ELSE 'over 1d' END AS bucket, count(*)::int AS payments
           FROM (SELECT now() - created_at AS age FROM payment WHERE state = 'in_flight') AS ages GROUP BY 1`,
};
const BATCH = 128;

/** What is kept about payments between the two statements that begin and end them. */
@Injectable()
export class ReconcileStore {
  private readonly dispatches: WaryLane<DispatchClaim, DispatchVerdict>;
  private readonly sightings: WaryLane<string, 'noted' | 'locked'>;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.labelledGauge('sluice_payments_in_flight', 'Payments whose end is not known, by their age', 'age', () => this.inFlightByAge());
    const options = { max: BATCH, isLocked: (said: string): boolean => said === 'locked' };
    this.dispatches = new WaryLane((claims, skipLocked) => this.dispatchAll(claims, skipLocked), { ...options, keyOf: ({ id }) => id });
    this.sightings = new WaryLane((ids, skipLocked) => this.codesOf<'noted' | 'locked'>(SEEN, [ids, skipLocked]), {
      ...options,
      keyOf: (id) => id,
    });
  }

  /**
   * Notes that a payment goes to the node next. Only where this answers `taken` may it be sent; when it throws, it is not known, and the
   * payment is not sent. Concurrent callers share calls.
   */
  dispatch(claim: DispatchClaim): Promise<DispatchVerdict> {
    return this.dispatches.submit(claim);
  }

  /**
   * Notes that the node has it under way: whatever it does not know later, it was sent. What is locked is noted when the node says so again.
   * Concurrent callers share calls.
   */
  async seen(id: string): Promise<void> {
    await this.sightings.submit(id);
  }

  /** Claims payments in flight for a look-up; other processes pass them by for a while. */
  due(limit: number, firstAfterSeconds: number, leaseSeconds: number): Promise<DuePayment[]> {
    return this.database.query<DuePayment>(DUE, [limit, firstAfterSeconds, leaseSeconds]);
  }

  async findInFlight(paymentHash: string, leaseSeconds: number): Promise<DuePayment | undefined> {
    return (await this.database.query<DuePayment>(OPEN_BY_HASH, [paymentHash, leaseSeconds]))[0];
  }

  /** The latest payment of this hash whose money was released, if no payment of it is in flight or settled. */
  async findReleased(paymentHash: string): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(RELEASED_BY_HASH, [paymentHash]))[0]?.id;
  }

  /** Notes what the node has said of a payment that it may not know, and answers what follows from that. */
  async notFound(id: string, said: 'not_found' | 'failed', leaseSeconds: number, notFoundSeconds: number): Promise<NotFoundVerdict> {
    const [row] = await this.database.query<{ verdict: NotFoundVerdict }>(NOT_FOUND, [id, said, leaseSeconds, notFoundSeconds]);
    return row?.verdict ?? 'held';
  }

  /** Payments that failed in the last so many days, the latest first, from behind the last one of the page before. */
  failedPage(limit: number, days: number, behind: Pick<FailedPaymentRow, 'finished_at' | 'id'> | undefined): Promise<FailedPaymentRow[]> {
    const cursor = behind ? [behind.finished_at, behind.id] : ['infinity', '00000000-0000-0000-0000-000000000000'];
    return this.database.query<FailedPaymentRow>(FAILED_PAGE, [...cursor, days, limit]);
  }

  async nodeMark(nodeId: string): Promise<bigint | undefined> {
    return (await this.database.query<NodeMark>(MARK, [nodeId]))[0]?.payment_index;
  }

  async setNodeMark(nodeId: string, index: bigint, before: bigint | undefined): Promise<void> {
    await this.database.query(SET_MARK, [nodeId, index, before ?? null]);
  }

  private async inFlightByAge(): Promise<Record<string, number>> {
    const none = { 'under 1m': 0, '1m to 10m': 0, '10m to 1h': 0, '1h to 1d': 0, 'over 1d': 0 };
    const rows = await this.database.query<{ bucket: string; payments: number }>(IN_FLIGHT_BY_AGE);
    return { ...none, ...Object.fromEntries(rows.map(({ bucket, payments }) => [bucket, payments])) };
  }

  private dispatchAll(claims: readonly DispatchClaim[], skipLocked: boolean): Promise<DispatchVerdict[]> {
    return this.codesOf(DISPATCH, [...columnsOf(claims, 'id', 'token'), skipLocked]);
  }

  private async codesOf<Code>(statement: Statement, values: readonly unknown[]): Promise<Code[]> {
    const [row] = await this.database.query<{ codes: Code[] }>(statement, values);
    return row?.codes ?? [];
  }
}
