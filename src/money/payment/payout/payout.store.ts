import { Injectable } from '@nestjs/common';
import { BatchLoader, columns, compositeType, Database, fragment, queryOne, sql, type RowOf } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { LedgerService } from '../../ledger/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { PayoutBatchEntity } from './payout.entity.js';
import type { Payee, PayoutOutput } from './payout-transaction.js';
import { PayoutSettings, type PayoutSpeed } from './payout.settings.js';

const BATCH = columns(PayoutBatchEntity).only('id', 'state', 'txid', 'height', 'blockHash');

/** A batch whose transaction may not be in the chain for good. */
export interface LiveBatch extends RowOf<typeof BATCH> {
  /** Its process has died before it was signed. */
  readonly isAbandoned: boolean;
  /** Of a signed one: what is to be sent. */
  readonly raw: string | null;
  /** Where the lease of its inputs is half over. */
  readonly psbt: string | null;
  /** Of all versions. */
  readonly txids: readonly string[] | null;
}

export interface SignedBatch {
  readonly psbt: string;
  readonly raw: string;
  readonly txid: string;
  readonly feeSats: bigint;
}

const OUTPUT = compositeType('payout_output', 'id', 'vout', 'weight');
/** A later time was written while the clock was ahead. It counts as past, so that nothing waits for it. */
const AHEAD = fragment`(now() + interval '1 minute')`;
const DUE = sql`SELECT o.speed FROM payout o JOIN unnest($1::text[], $2::int[], $3::int[]) AS t(speed, seconds, outputs) ON t.speed = o.speed
         WHERE o.state = 'queued' GROUP BY o.speed, t.seconds, t.outputs
        HAVING CASE o.speed WHEN 'FAST'
          THEN NOT EXISTS (SELECT FROM payout_batch b WHERE b.speed = o.speed AND b.made_at > now() - make_interval(secs => t.seconds) AND b.made_at < ${AHEAD})
          ELSE count(*) >= t.outputs OR min(o.queued_at) <= now() - make_interval(secs => t.seconds) OR max(o.queued_at) > ${AHEAD} END`;
const LATE = sql`SELECT payout_late($1, $2)`;
const EXPECTED = sql`SELECT greatest(now(), o.queued_at + make_interval(secs => t.seconds)) AS at FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n)
          LEFT JOIN payout o ON o.id = i.id AND o.state IN ('queued', 'batched') LEFT JOIN unnest($2::text[], $3::int[]) AS t(speed, seconds) ON t.speed = o.speed
         ORDER BY i.n`;
const TAKE = sql`SELECT t.id, t.address, t.sats, o.miner_limit_sats AS "minerLimitSats" FROM payout_take($1, $2, $3, $4) t JOIN payout o ON o.id = t.id`;
const STOPPED = sql`SELECT 1 FROM payment_freeze WHERE subject = 'all'`;
const DISSOLVE = sql`SELECT payout_dissolve($1) AS done`;
const SIGN = sql`SELECT payout_sign($1, $2, $3, $4, $5, $6::payout_output[], $7) AS done`;
const PUBLISHED = sql`SELECT payout_publish($1, $2)`;
const LIVE = sql`SELECT ${BATCH.of('b')}, b.state = 'open' AND b.made_at NOT BETWEEN now() - make_interval(secs => $1) AND ${AHEAD} AS "isAbandoned",
           (SELECT array_agg(t.txid) FROM payout_transaction t WHERE t.batch_id = b.id) AS txids,
           CASE b.state WHEN 'signed' THEN (SELECT t.raw FROM payout_transaction t WHERE t.txid = b.txid) END AS raw,
           CASE WHEN b.height IS NULL AND b.lease_until NOT BETWEEN now() + make_interval(secs => $2) AND ${AHEAD} + make_interval(secs => $2 * 2) THEN b.psbt END AS psbt
          FROM payout_batch b WHERE b.state NOT IN ('final', 'replaced') ORDER BY b.made_at`;
const CONFIRM = sql`SELECT payout_confirm($1, $2, $3, $4) AS ended`;
const UNCONFIRM = sql`SELECT payout_unconfirm($1)`;
const REPLACE = sql`SELECT payout_replace($1)`;
const FINAL = sql`UPDATE payout_batch SET state = 'final' WHERE id = $1 AND state = 'confirmed' AND height = $2`;
const LEASED = sql`UPDATE payout_batch SET lease_until = now() + make_interval(secs => $2) WHERE id = $1`;
const AUDIT = sql`SELECT what, n FROM payout_audit WHERE n <> 0 ORDER BY what`;
const BY_STATE = sql`SELECT state, count(*)::int AS payouts FROM payout WHERE state IN ('queued', 'batched', 'broadcast') GROUP BY 1`;
const UNSENT = sql`SELECT coalesce(sum(p.amount_msat + p.fee_limit_msat) / 1000, 0)::int8 AS sats FROM payout o JOIN payment p ON p.id = o.id
          WHERE o.state IN ('queued', 'batched')`;

/** One statement a change of state. Each may be repeated after a lost answer. */
@Injectable()
export class PayoutStore {
  private readonly ended;
  /** When a payment leaves, by its id. Null: it is in a transaction, or cancelled. */
  readonly expected: BatchLoader<Date | null>;

  constructor(
    private readonly database: Database,
    private readonly settings: PayoutSettings,
    private readonly events: Events,
    ledger: LedgerService,
    metrics: Metrics,
  ) {
    ledger.alsoAudit(AUDIT);
    metrics.labelledGauge('sluice_payouts', 'Payments to bitcoin addresses that no block has, by state', 'state', () => this.byState());
    this.expected = new BatchLoader(async (ids) =>
      (await this.database.query<{ at: Date | null }>(EXPECTED, [ids, ...this.times])).map(({ at }) => at),
    );
    this.ended = metrics.counter('sluice_payouts_confirmed_total', 'Payments to bitcoin addresses that this process has found in a block');
  }

  /** The speeds of which a batch has to leave now. */
  async due(): Promise<PayoutSpeed[]> {
    const outputs = Object.values(this.settings.speeds).map((terms) => terms.outputs);
    return (await this.database.query<{ speed: PayoutSpeed }>(DUE, [...this.times, outputs])).map(({ speed }) => speed);
  }

  async noticeLate(): Promise<void> {
    await this.database.query(LATE, this.times);
  }

  /** @returns whom the batch pays; none: no payment in the queue can pay this rate */
  take(batchId: string, speed: PayoutSpeed, satsPerVbyte: number, limit: number): Promise<Payee[]> {
    return this.database.query<Payee>(TAKE, [batchId, speed, satsPerVbyte, limit]);
  }

  /** What was taken before all sends were stopped is not sent either. */
  async areSendsStopped(): Promise<boolean> {
    return (await this.database.query(STOPPED)).length > 0;
  }

  /** @returns false if it is signed, or dissolved already */
  async dissolve(batchId: string): Promise<boolean> {
    return (await queryOne<{ done: boolean }>(this.database, DISSOLVE, [batchId])).done;
  }

  /** @returns false if it was dissolved meanwhile: its transaction must not be sent */
  async sign(batchId: string, { psbt, raw, txid, feeSats }: SignedBatch, outputs: readonly PayoutOutput[]): Promise<boolean> {
    const values = [batchId, psbt, raw, txid, feeSats, OUTPUT.records(outputs), this.settings.leaseSeconds];
    const { done } = await queryOne<{ done: boolean }>(this.database, SIGN, values);
    this.events.poll();
    return done;
  }

  async published(batchId: string, txid: string): Promise<void> {
    await this.database.query(PUBLISHED, [batchId, txid]);
  }

  live(): Promise<LiveBatch[]> {
    return this.database.query<LiveBatch>(LIVE, [this.settings.openSeconds, this.settings.leaseSeconds / 2]);
  }

  async confirm(batchId: string, txid: string, height: number, blockHash: string): Promise<void> {
    const { ended } = await queryOne<{ ended: string[] | null }>(this.database, CONFIRM, [batchId, txid, height, blockHash]);
    this.events.poll();
    this.ended.inc(ended?.length ?? 0);
  }

  async unconfirm(batchId: string): Promise<void> {
    await this.database.query(UNCONFIRM, [batchId]);
  }

  async replace(batchId: string): Promise<void> {
    await this.database.query(REPLACE, [batchId]);
    this.events.poll();
  }

  async makeFinal(batchId: string, height: number): Promise<void> {
    await this.database.query(FINAL, [batchId, height]);
  }

  async leased(batchId: string): Promise<void> {
    await this.database.query(LEASED, [batchId, this.settings.leaseSeconds]);
  }

  /** What is promised of the wallet's coins and not in a transaction yet. */
  async unsentSats(): Promise<bigint> {
    return (await queryOne<{ sats: bigint }>(this.database, UNSENT)).sats;
  }

  /** Speeds, and their times in seconds. */
  private get times(): [string[], number[]] {
    const { speeds } = this.settings;
    return [Object.keys(speeds), Object.values(speeds).map(({ afterSeconds }) => afterSeconds)];
  }

  private async byState(): Promise<Record<string, number>> {
    const rows = await this.database.query<{ state: string; payouts: number }>(BY_STATE);
    return { queued: 0, batched: 0, broadcast: 0, ...Object.fromEntries(rows.map(({ state, payouts }) => [state, payouts])) };
  }
}
