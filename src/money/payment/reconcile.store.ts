import { Injectable } from '@nestjs/common';
import {
  Batcher,
  columns,
  compositeType,
  Database,
  DELETED_AT_ONCE,
  deleteInBatches,
  fragment,
  LockAwareBatcher,
  queryOne,
  sql,
} from '../../platform/database/index.js';
import type { Fragment, RowOf } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { newId } from '../../platform/kernel/uuid.js';
import { Metrics } from '../../platform/metrics/index.js';
import { type PaymentNodeEntity, PaymentEntity } from './payment.entity.js';
import { PaymentSettings } from './payment.settings.js';

const DUE = columns(PaymentEntity).only('id', 'kind', 'paymentHash', 'nodeId', 'seenInFlight', 'dispatchedAt');
const FAILED = columns(PaymentEntity).only('id', 'kind', 'paymentHash', 'nodeId', 'finishedAt');

export interface DuePayment extends RowOf<typeof DUE> {
  readonly paymentHash: string;
  readonly nodeId: string;
  readonly isSenderGone: boolean;
  /** Older than its lease: its dispatcher has sent it or never will. What it has sent may still be on its way to the node. */
  readonly leaseOver: boolean;
}

/** A failed payment, whose hold was released; its node may still report it as settled. */
export interface FailedPaymentRow extends RowOf<typeof FAILED> {
  readonly paymentHash: string;
  readonly nodeId: string;
  readonly finishedAt: Date;
}

interface DispatchClaim {
  readonly id: string;
  readonly token: string;
}

export type DispatchVerdict = 'taken' | 'refused' | 'locked';

type NotFoundVerdict = 'held' | 'unsent' | 'failed' | 'lost';

const dueWith = (lease: Fragment, silent: Fragment): Fragment =>
  fragment`${DUE.of('payment')}, payment.created_at <= now() - make_interval(secs => ${lease}) AS "leaseOver",
           payment_sender_is_gone(payment, ${silent}) AS "isSenderGone"`;

const CLAIM = compositeType('payment_claim', 'id', 'token');
const DISPATCH = sql`SELECT payment_dispatch($1::payment_claim[]) AS codes`;
const SEEN = sql`SELECT payment_seen($1::uuid[])`;
const DISCONNECTED = sql`SELECT payment_disconnected($1::uuid[])`;
const LIVES = sql`SELECT payment_dispatcher_note($1, $2)`;
const LOCKED = sql`SELECT payment_locked($1::uuid[]) AS locked`;
const CLAIM_DUE = sql`SELECT ${dueWith(fragment`$3`, fragment`$4`)} FROM payment_due($1, $2) AS payment`;
const NOT_FOUND = sql`SELECT payment_not_found_v2($1, $2, $3, $4, $5) AS verdict`;
const OPEN_BY_HASH = sql`SELECT ${dueWith(fragment`$2`, fragment`$3`)} FROM payment WHERE payment_hash = $1 AND state = 'in_flight'`;
// PostgreSQL runs the sub-select first and alone: the normal case costs one look-up in the index of live payments.
export const RELEASED_BY_HASH = sql`SELECT id FROM payment WHERE payment_hash = $1 AND state = 'failed' AND failure IS DISTINCT FROM 'known_to_node'
            AND NOT (SELECT EXISTS (SELECT FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')))
          ORDER BY created_at DESC LIMIT 1`;
const FAILED_PAGE = sql`SELECT ${FAILED.of('payment')} FROM payment
          WHERE state = 'failed' AND (finished_at, id) < ($1::timestamptz, $2::uuid) AND finished_at > now() - make_interval(days => $3)
          ORDER BY finished_at DESC, id DESC LIMIT $4`;
const MARK = sql`SELECT payment_index AS "paymentIndex" FROM payment_node WHERE node_id = $1`;
// Written only if the mark is still the one that was read before the node was asked: otherwise a smaller index does not mean a restore.
const SET_MARK = sql`INSERT INTO payment_node AS n (node_id, payment_index) VALUES ($1, $2) ON CONFLICT (node_id) DO UPDATE
            SET payment_index = $2, unbroken_since = CASE WHEN $2 < n.payment_index THEN now() ELSE n.unbroken_since END
          WHERE n.payment_index = $3 RETURNING 1`;
const IN_FLIGHT_BY_AGE = sql`SELECT CASE WHEN age < interval '1 minute' THEN 'under 1m' WHEN age < interval '10 minutes' THEN '1m to 10m'
                     WHEN age < interval '1 hour' THEN '10m to 1h' WHEN age < interval '1 day' THEN '1h to 1d' ELSE 'over 1d' END AS bucket, count(*)::int AS payments
           FROM (SELECT now() - created_at AS age FROM payment WHERE state = 'in_flight' AND kind <> 'onchain') AS ages GROUP BY 1`;
/** An operator's node may make any number of payments that the ledger does not know. */
const NODE_PAYMENTS_KEPT_DAYS = 90;
const PURGE = sql`DELETE FROM node_payment WHERE (node_id, payment_hash) IN (
        SELECT p.node_id, p.payment_hash FROM node_payment p
         WHERE p.verdict <> 'unexplained' AND p.state <> 'in_flight' AND p.found_at < now() - make_interval(days => ${NODE_PAYMENTS_KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;
const PURGE_DISPATCHERS = sql`DELETE FROM payment_dispatcher WHERE id IN (SELECT id FROM payment_dispatcher
         WHERE seen_at < now() - make_interval(days => ${NODE_PAYMENTS_KEPT_DAYS}) LIMIT ${DELETED_AT_ONCE}) RETURNING 1`;
const PURGE_LINE = sql`DELETE FROM payment_line WHERE (payment_hash, account_id) IN (SELECT payment_hash, account_id FROM payment_line
         WHERE seen_at < now() - make_interval(days => ${NODE_PAYMENTS_KEPT_DAYS}) LIMIT ${DELETED_AT_ONCE}) RETURNING 1`;
/** All of a UUID but its last group. */
const PREFIX_LENGTH = 23;
const PURGE_EVERY_SECONDS = 86_400;

@Injectable()
export class ReconcileStore {
  private readonly dispatches: LockAwareBatcher<DispatchClaim, DispatchVerdict>;
  private readonly sightings: LockAwareBatcher<string, 'noted' | 'locked'>;
  private readonly disconnections: Batcher<string, undefined>;
  /** The tokens of this process begin with it. */
  private readonly tokenPrefix = newId().slice(0, PREFIX_LENGTH);

  constructor(
    private readonly database: Database,
    private readonly settings: PaymentSettings,
    metrics: Metrics,
    jobs: Jobs,
  ) {
    jobs.schedule('node_payment_cleanup', { everySeconds: PURGE_EVERY_SECONDS, atStart: true }, async ({ signal }) => {
      for (const purge of [PURGE, PURGE_DISPATCHERS, PURGE_LINE]) await deleteInBatches(database, purge, [], signal);
    });
    metrics.labelledGauge('sluice_payments_in_flight', 'Payments without a final outcome, by age', 'age', () => this.inFlightByAge());
    const lockedOutcome = (): 'locked' => 'locked';
    this.disconnections = new Batcher(async (ids) => (await database.query(DISCONNECTED, [ids]), ids.map(() => undefined)));
    this.dispatches = new LockAwareBatcher((claims) => this.dispatchAll(claims), {
      lockedOutcome,
      locked: (claims) => this.lockedOf(claims.map(({ id }) => id)),
      keyOf: ({ id }) => id,
    });
    this.sightings = new LockAwareBatcher((ids) => this.seenAll(ids), {
      lockedOutcome,
      locked: (ids) => this.lockedOf(ids),
      keyOf: (id) => id,
    });
  }

  newToken(): string {
    return this.tokenPrefix + newId().slice(PREFIX_LENGTH);
  }

  /**
   * Records that the dispatcher sends a payment to the node next. The dispatcher may send it only on `taken`; if the call throws, the
   * result is unknown, and the payment is not sent. Concurrent callers share calls.
   */
  dispatch(claim: DispatchClaim): Promise<DispatchVerdict> {
    return this.dispatches.submit(claim);
  }

  /**
   * Records that the node has reported the payment in flight: it was sent, whatever the node no longer knows later. A locked payment is
   * recorded when the node reports it again. Concurrent callers share calls.
   */
  async seen(id: string): Promise<void> {
    await this.sightings.submit(id);
  }

  /** Records that the call has ended with its connection. Concurrent callers share calls. */
  disconnected(id: string): Promise<void> {
    return this.disconnections.submit(id);
  }

  /** @param sessionPid of this process's connection for events */
  async lives(sessionPid: number | undefined): Promise<void> {
    await this.database.query(LIVES, [`${this.tokenPrefix}-${'0'.repeat(12)}`, sessionPid ?? null]);
  }

  /** Claims payments in flight for a look-up; other processes skip them until their next check. */
  due(limit: number): Promise<DuePayment[]> {
    const { RECONCILE_AFTER_SECONDS, PAYMENT_LEASE_SECONDS, dispatcherSilentSeconds } = this.settings;
    const values = [limit, RECONCILE_AFTER_SECONDS, PAYMENT_LEASE_SECONDS, dispatcherSilentSeconds];
    return this.database.query<DuePayment>(CLAIM_DUE, values);
  }

  async findInFlight(paymentHash: string): Promise<DuePayment | undefined> {
    const { PAYMENT_LEASE_SECONDS, dispatcherSilentSeconds } = this.settings;
    return (await this.database.query<DuePayment>(OPEN_BY_HASH, [paymentHash, PAYMENT_LEASE_SECONDS, dispatcherSilentSeconds]))[0];
  }

  async findReleased(paymentHash: string): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(RELEASED_BY_HASH, [paymentHash]))[0]?.id;
  }

  /** @param isAnew over a connection that was opened after its sender was gone */
  async notFound(id: string, said: 'not_found' | 'failed', isAnew: boolean): Promise<NotFoundVerdict> {
    const values = [id, said, isAnew, this.settings.PAYMENT_LEASE_SECONDS, this.settings.notFoundSecondsIf(isAnew)];
    return (await queryOne<{ verdict: NotFoundVerdict }>(this.database, NOT_FOUND, values)).verdict;
  }

  failedPage(limit: number, behind: Pick<FailedPaymentRow, 'finishedAt' | 'id'> | undefined): Promise<FailedPaymentRow[]> {
    const cursor = behind ? [behind.finishedAt, behind.id] : ['infinity', '00000000-0000-0000-0000-000000000000'];
    return this.database.query<FailedPaymentRow>(FAILED_PAGE, [...cursor, this.settings.recheckDays, limit]);
  }

  async nodeMark(nodeId: string): Promise<bigint | undefined> {
    return (await this.database.query<Pick<PaymentNodeEntity, 'paymentIndex'>>(MARK, [nodeId]))[0]?.paymentIndex;
  }

  async setNodeMark(nodeId: string, index: bigint, before: bigint | undefined): Promise<boolean> {
    return (await this.database.query(SET_MARK, [nodeId, index, before ?? null])).length > 0;
  }

  private async inFlightByAge(): Promise<Record<string, number>> {
    const none = { 'under 1m': 0, '1m to 10m': 0, '10m to 1h': 0, '1h to 1d': 0, 'over 1d': 0 };
    const rows = await this.database.query<{ bucket: string; payments: number }>(IN_FLIGHT_BY_AGE);
    return { ...none, ...Object.fromEntries(rows.map(({ bucket, payments }) => [bucket, payments])) };
  }

  private async dispatchAll(claims: readonly DispatchClaim[]): Promise<DispatchVerdict[]> {
    return (await queryOne<{ codes: DispatchVerdict[] }>(this.database, DISPATCH, [CLAIM.records(claims)])).codes;
  }

  private async seenAll(ids: readonly string[]): Promise<'noted'[]> {
    await this.database.query(SEEN, [ids]);
    return ids.map(() => 'noted');
  }

  private async lockedOf(ids: readonly string[]): Promise<boolean[]> {
    return (await queryOne<{ locked: boolean[] }>(this.database, LOCKED, [ids])).locked;
  }
}
