import { Injectable } from '@nestjs/common';
import { LightningNode, type ChannelBalance } from '../../money/lightning/index.js';
import { NodePaymentEntity, PaymentIndexService } from '../../money/payment/index.js';
import { columns, columnsOf, Database, queryOne, sql, type RowOf } from '../../platform/database/index.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import { DealerReportService, type DealerReport } from './dealer-report.service.js';
import { OnChainReportService, type OnChainReport } from './onchain-report.service.js';
import { ReconciliationEntity } from './reconciliation.entity.js';

/** `restored`: a copy. `promoted`: a standby took over, or an older state of the server was recovered. See `database_state`. */
type DatabaseState = 'sound' | 'promoted' | 'restored';

const STATUS = columns(ReconciliationEntity).only('paymentIndex', 'wentBackTo', 'cannotCompare', 'comparedAt', 'lostPayouts');
const FOUND = columns(NodePaymentEntity).only('paymentHash', 'paymentIndex', 'state', 'amountMsat', 'feeMsat', 'createdAt');

const GUARD = sql`SELECT reconciliation_guard() AS state`;
const BEGIN = sql`SELECT payment_index AS "paymentIndex", state = 'sound' AS "isSound", database_timeline() AS timeline FROM reconciliation_begin($1)`;
const COMPARE = sql`SELECT reconciliation_compare($1, $2, $3, $4, $5, $6, $7, $8) AS n WHERE reconciliation_holds($9, $8)`;
const WENT_BACK = sql`SELECT reconciliation_went_back($1, $2, $3) AS "isNew"`;
const CANNOT_COMPARE = sql`SELECT reconciliation_cannot_compare($1)`;
const LOST_PAYOUTS = sql`SELECT reconciliation_lost_payouts($1, $2) AS n`;
const END = sql`SELECT reconciliation_end($1) WHERE reconciliation_holds($2, $3)`;
const ACCEPT = sql`SELECT reconciliation_accept($1, $2, $3, $4) AS accepted`;
const STATUS_OF = sql`SELECT ${STATUS.of('reconciliation')}, database_state() AS database, reconciliation_findings(node_id) AS findings FROM reconciliation WHERE node_id = $1`;
const UNEXPLAINED = sql`SELECT ${FOUND.of('node_payment')} FROM node_payment WHERE node_id = $1 AND verdict = 'unexplained' ORDER BY payment_index LIMIT $2`;
const OWN = sql`SELECT count(*)::int AS payments, coalesce(sum(amount_msat + fee_msat), 0)::int8 AS msat FROM node_payment WHERE node_id = $1 AND state = 'settled'`;
const IN_FLIGHT = sql`SELECT payment_hash AS "paymentHash" FROM node_payment WHERE node_id = $1 AND state = 'in_flight' ORDER BY payment_index LIMIT $2`;
const SET_END = sql`SELECT node_payment_end($1, $2, $3, $4)`;
const LEDGER_BALANCES = sql`SELECT coalesce(sum(posted) FILTER (WHERE id = -1), 0)::int8 AS lightning, coalesce(sum(posted) FILTER (WHERE id > 0), 0)::int8 AS customers,
          coalesce(sum(held) FILTER (WHERE id > 0), 0)::int8 AS held FROM ledger_account WHERE currency = 1`;
const SETTLED = sql`SELECT payment_hash AS "paymentHash" FROM payment
          WHERE kind = 'ln' AND state = 'settled' AND node_id = $1 AND created_at > now() - make_interval(days => $2) ORDER BY created_at DESC LIMIT $3`;

/** The database at the beginning of a comparison, which ends when that no longer holds. */
interface Beginning {
  readonly paymentIndex: bigint;
  readonly isSound: boolean;
  readonly timeline: number;
}

type UnknownPayment = RowOf<typeof FOUND>;

interface ReconciliationStatus extends RowOf<typeof STATUS> {
  readonly database: DatabaseState;
  readonly findings: string | null;
}

/** In msat, posted: bitcoin only. */
interface LedgerBalances {
  /** Below zero: what the ledger expects the nodes to have. */
  readonly lightning: bigint;
  readonly customers: bigint;
  readonly held: bigint;
}

const PAGE = 200;
const ENDS_AT_ONCE = 100;
const LOOK_UPS_AT_ONCE = 16;
const MAX_LOOK_UPS = 20_000;
const MAX_ROWS = 1_000;

/** `unsupported`: the back end cannot list payments. `unknown`: the node does not answer, or another database took over meanwhile. */
export type Comparison = 'compared' | 'went_back' | 'unsupported' | 'unknown';

export interface ReconciliationReport extends ReconciliationStatus {
  readonly nodeId: string;
  readonly comparison: Comparison;
  readonly ledger: LedgerBalances;
  readonly dealer: DealerReport;
  readonly node: ChannelBalance;
  /** Null: there is no on-chain wallet. */
  readonly onChain: OnChainReport | null;
  /** The node has this beyond what the ledger expects; null: the balance is not known. */
  readonly differenceMsat: bigint | null;
  readonly unexplained: readonly UnknownPayment[];
  readonly unknownToLedger: { readonly payments: number; readonly msat: bigint };
  readonly unknownToNode: readonly string[];
}

@Injectable()
export class ReconciliationService {
  private readonly log = new Log('Reconciliation');
  private readonly restoredLog = new LogInterval(60_000);

  constructor(
    private readonly node: LightningNode,
    private readonly database: Database,
    private readonly dealers: DealerReportService,
    private readonly onChain: OnChainReportService,
    indexes: PaymentIndexService,
  ) {
    // A payment in flight may show a smaller index that is not below the one of the last comparison: payments are more frequent.
    indexes.onWentBack(async (nodeId, before, index) => void (await this.reportWentBack(nodeId, before, index)));
  }

  /** Stops the sends of a restored database, before any request is answered. */
  async guard(): Promise<void> {
    const { state } = await queryOne<{ state: DatabaseState }>(this.database, GUARD);
    if (state === 'restored' && this.restoredLog.isOver())
      this.log.warn('database_restored', {}, 'The database was restored: sends are stopped until it has been compared with the node');
  }

  /**
   * Whether queued payouts may be sent. A standby that took over may have lost commits, and the wallet, unlike a node, pays the same twice: so
   * it is compared first. What it has sent unknown to the database stops sends; those of a restored copy are stopped already.
   */
  async mayPayOut(): Promise<boolean> {
    const { state } = await queryOne<{ state: DatabaseState }>(this.database, GUARD);
    if (state !== 'promoted') return true;
    const { nodeId } = this.node;
    if (nodeId === '') return false;
    await this.database.query(BEGIN, [nodeId]);
    return this.comparePayouts(nodeId);
  }

  /** Compares the payments that the node has made since the last comparison. Any number of processes may do so at the same time. */
  async compare(signal?: AbortSignal): Promise<Comparison> {
    const { nodeId } = this.node;
    if (nodeId === '') {
      await this.guard();
      return 'unknown';
    }
    // Read before the node is asked: a smaller index than this one has gone back.
    const begun = await queryOne<Beginning>(this.database, BEGIN, [nodeId]);
    const { paymentIndex, isSound, timeline } = begun;
    const latest = await this.node.latestPaymentIndex();
    if (typeof latest === 'string') return this.reportUncompared(nodeId, latest);
    if (latest < paymentIndex) return this.reportWentBack(nodeId, paymentIndex, latest);
    const end = await this.compareFrom(begun, signal);
    if (end !== 'compared') return this.reportUncompared(nodeId, end);
    if (!isSound && !(await this.comparePayouts(nodeId))) return 'unknown';
    await this.updateInFlight(nodeId);
    const ended = await this.database.query(END, [nodeId, timeline, isSound]);
    return ended.length > 0 ? 'compared' : 'unknown';
  }

  async report(days: number): Promise<ReconciliationReport> {
    const comparison = await this.compare();
    const { nodeId } = this.node;
    const [[status], ledger, dealer, node, onChain, unexplained, unknownToLedger] = await Promise.all([
      this.database.query<ReconciliationStatus>(STATUS_OF, [nodeId]),
      queryOne<LedgerBalances>(this.database, LEDGER_BALANCES),
      this.dealers.report(),
      this.node.channelBalance(),
      this.onChain.report(),
      this.database.query<UnknownPayment>(UNEXPLAINED, [nodeId, MAX_ROWS]),
      queryOne<{ payments: number; msat: bigint }>(this.database, OWN, [nodeId]),
    ]);
    const differenceMsat = node.status === 'known' ? node.localMsat + node.inFlightMsat + ledger.lightning : null;
    const unknownToNode = comparison === 'unknown' ? [] : await this.unknownToNode(nodeId, days);
    const none = {
      ...{ paymentIndex: 0n, wentBackTo: null, cannotCompare: false, comparedAt: null, lostPayouts: [] },
      ...({ database: 'sound', findings: null } as const),
    };
    return {
      ...(status ?? none),
      nodeId,
      comparison,
      ledger,
      dealer,
      node,
      onChain,
      differenceMsat,
      unexplained,
      unknownToLedger,
      unknownToNode,
    };
  }

  async accept(hash: string, who: string, because: string): Promise<boolean> {
    const values = [this.node.nodeId, hash.toLowerCase(), who, because];
    return (await queryOne<{ accepted: boolean }>(this.database, ACCEPT, values)).accepted;
  }

  private async compareFrom(
    { paymentIndex, isSound, timeline }: Beginning,
    signal?: AbortSignal,
  ): Promise<'unknown' | 'unsupported' | 'compared'> {
    const { nodeId } = this.node;
    for (let after = paymentIndex; !signal?.aborted;) {
      const page = await this.node.listPayments(after, PAGE);
      if (page.status !== 'known') return page.status;
      const last = page.payments.at(-1);
      if (!last) return 'compared';
      const found = columnsOf(page.payments, 'index', 'paymentHash', 'state', 'amountMsat', 'feeMsat', 'createdAt');
      const [compared] = await this.database.query<{ n: number }>(COMPARE, [nodeId, ...found, isSound, timeline]);
      if (!compared) return 'unknown';
      const { n: unexplained } = compared;
      if (unexplained > 0)
        this.log.error(
          'reconciliation_unexplained',
          { nodeId, payments: unexplained },
          `The node has made ${unexplained} payments that the restored database does not know; sends are stopped until "reconcile --accept"`,
        );
      if (last.index <= after || page.payments.length < PAGE) return 'compared';
      after = last.index;
    }
    return 'unknown';
  }

  /** False: the wallet does not say what it has sent. */
  private async comparePayouts(nodeId: string): Promise<boolean> {
    const sent = await this.onChain.sentTxids();
    if (sent === 'unknown') return false;
    const { n: payouts } = await queryOne<{ n: number }>(this.database, LOST_PAYOUTS, [nodeId, sent]);
    if (payouts > 0)
      this.log.error(
        'reconciliation_lost_payouts',
        { nodeId, payouts },
        `The wallet has sent ${payouts} transactions of payouts that the restored database does not know; sends are stopped until "reconcile --accept"`,
      );
    return true;
  }

  private async reportUncompared(nodeId: string, status: 'unknown' | 'unsupported'): Promise<'unknown' | 'unsupported'> {
    if (status === 'unsupported') await this.database.query(CANNOT_COMPARE, [nodeId]);
    return status;
  }

  private async reportWentBack(nodeId: string, before: bigint, index: bigint): Promise<'went_back'> {
    if ((await queryOne<{ isNew: boolean }>(this.database, WENT_BACK, [nodeId, before, index])).isNew)
      this.log.error(
        'reconciliation_went_back',
        { nodeId, before: String(before), index: String(index) },
        `Payment index of node ${nodeId} went back from ${before} to ${index}; sends are stopped until "reconcile --accept"`,
      );
    return 'went_back';
  }

  private async updateInFlight(nodeId: string): Promise<void> {
    for (const { paymentHash } of await this.database.query<{ paymentHash: string }>(IN_FLIGHT, [nodeId, ENDS_AT_ONCE])) {
      const found = await this.node.lookupPayment(paymentHash);
      if (found.status === 'settled') await this.database.query(SET_END, [nodeId, paymentHash, 'settled', found.feeMsat]);
      if (found.status === 'failed') await this.database.query(SET_END, [nodeId, paymentHash, 'failed', 0n]);
    }
  }

  private async unknownToNode(nodeId: string, days: number): Promise<string[]> {
    const settled = await this.database.query<{ paymentHash: string }>(SETTLED, [nodeId, days, MAX_LOOK_UPS]);
    const missing: string[] = [];
    for (let at = 0; at < settled.length && missing.length < MAX_ROWS; at += LOOK_UPS_AT_ONCE) {
      const some = settled.slice(at, at + LOOK_UPS_AT_ONCE).map(({ paymentHash }) => paymentHash);
      const states = await Promise.all(some.map((hash) => this.node.lookupPayment(hash)));
      missing.push(...some.filter((_, i) => ['failed', 'not_found'].includes(states[i]?.status ?? 'unknown')));
    }
    return missing;
  }
}
