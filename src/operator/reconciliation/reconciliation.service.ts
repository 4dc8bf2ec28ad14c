import { Injectable } from '@nestjs/common';
import { LightningNode, type ChannelBalance } from '../../money/lightning/index.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import { PaymentIndexService } from '../../money/payment/index.js';
import { DealerReportService, type DealerReport } from './dealer-report.service.js';
import { ReconciliationStore, type LedgerBalances, type ReconciliationStatus, type UnknownPayment } from './reconciliation.store.js';

const PAGE = 200;
const ENDS_AT_ONCE = 100;
const LOOK_UPS_AT_ONCE = 16;
const MAX_LOOK_UPS = 20_000;
const MAX_ROWS = 1_000;

/** `unsupported`: the back end cannot list payments. `unknown`: the node does not answer. */
export type Comparison = 'compared' | 'went_back' | 'unsupported' | 'unknown';

export interface ReconciliationReport extends ReconciliationStatus {
  readonly nodeId: string;
  readonly comparison: Comparison;
  readonly ledger: LedgerBalances;
  readonly dealer: DealerReport;
  readonly node: ChannelBalance;
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
    private readonly store: ReconciliationStore,
    private readonly dealers: DealerReportService,
    indexes: PaymentIndexService,
  ) {
    // A payment in flight may show a smaller index that is not below the one of the last comparison: payments are more frequent.
    indexes.onWentBack(async (nodeId, before, index) => void (await this.reportWentBack(nodeId, before, index)));
  }

  /** Stops the sends of a restored database, before any request is answered. */
  async guard(): Promise<void> {
    if ((await this.store.guard()) === 'restored' && this.restoredLog.isOver())
      this.log.warn('database_restored', {}, 'The database was restored: sends are stopped until it has been compared with the node');
  }

  /** Compares the payments that the node has made since the last comparison. Any number of processes may do so at the same time. */
  async compare(signal?: AbortSignal): Promise<Comparison> {
    const { nodeId } = this.node;
    if (nodeId === '') {
      await this.guard();
      return 'unknown';
    }
    // Read before the node is asked: a smaller index than this one has gone back.
    const { paymentIndex, state } = await this.store.begin(nodeId);
    const latest = await this.node.latestPaymentIndex();
    if (typeof latest === 'string') return this.reportUncompared(nodeId, latest);
    if (latest < paymentIndex) return this.reportWentBack(nodeId, paymentIndex, latest);
    const end = await this.compareAfter(paymentIndex, state === 'sound', signal);
    if (end !== 'compared') return this.reportUncompared(nodeId, end);
    await this.updateInFlight(nodeId);
    await this.store.end(nodeId);
    return 'compared';
  }

  async report(days: number): Promise<ReconciliationReport> {
    const comparison = await this.compare();
    const { nodeId } = this.node;
    const [status, ledger, dealer, node, unexplained, unknownToLedger] = await Promise.all([
      this.store.status(nodeId),
      this.store.ledgerBalances(),
      this.dealers.report(),
      this.node.channelBalance(),
      this.store.unexplained(nodeId, MAX_ROWS),
      this.store.unknownTotal(nodeId),
    ]);
    const differenceMsat = node.status === 'known' ? node.localMsat + node.inFlightMsat + ledger.lightning : null;
    const unknownToNode = comparison === 'unknown' ? [] : await this.unknownToNode(nodeId, days);
    const none = { paymentIndex: 0n, wentBackTo: null, cannotCompare: false, comparedAt: null, database: 'sound', findings: null } as const;
    return { ...(status ?? none), nodeId, comparison, ledger, dealer, node, differenceMsat, unexplained, unknownToLedger, unknownToNode };
  }

  accept(hash: string, who: string, because: string): Promise<boolean> {
    return this.store.accept(this.node.nodeId, hash.toLowerCase(), who, because);
  }

  private async compareAfter(index: bigint, isSound: boolean, signal?: AbortSignal): Promise<'unknown' | 'unsupported' | 'compared'> {
    const { nodeId } = this.node;
    for (let after = index; !signal?.aborted;) {
      const page = await this.node.listPayments(after, PAGE);
      if (page.status !== 'known') return page.status;
      const last = page.payments.at(-1);
      if (!last) return 'compared';
      const unexplained = await this.store.compare(nodeId, page.payments, isSound);
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

  private async reportUncompared(nodeId: string, status: 'unknown' | 'unsupported'): Promise<'unknown' | 'unsupported'> {
    if (status === 'unsupported') await this.store.cannotCompare(nodeId);
    return status;
  }

  private async reportWentBack(nodeId: string, before: bigint, index: bigint): Promise<'went_back'> {
    if (await this.store.wentBack(nodeId, before, index))
      this.log.error(
        'reconciliation_went_back',
        { nodeId, before: String(before), index: String(index) },
        `Payment index of node ${nodeId} went back from ${before} to ${index}; sends are stopped until "reconcile --accept"`,
      );
    return 'went_back';
  }

  private async updateInFlight(nodeId: string): Promise<void> {
    for (const hash of await this.store.inFlight(nodeId, ENDS_AT_ONCE)) {
      const found = await this.node.lookupPayment(hash);
      if (found.status === 'settled') await this.store.setEnd(nodeId, hash, 'settled', found.feeMsat);
      if (found.status === 'failed') await this.store.setEnd(nodeId, hash, 'failed', 0n);
    }
  }

  private async unknownToNode(nodeId: string, days: number): Promise<string[]> {
    const hashes = await this.store.settledSince(nodeId, days, MAX_LOOK_UPS);
    const missing: string[] = [];
    for (let at = 0; at < hashes.length && missing.length < MAX_ROWS; at += LOOK_UPS_AT_ONCE) {
      const some = hashes.slice(at, at + LOOK_UPS_AT_ONCE);
      const states = await Promise.all(some.map((hash) => this.node.lookupPayment(hash)));
      missing.push(...some.filter((_, i) => ['failed', 'not_found'].includes(states[i]?.status ?? 'unknown')));
    }
    return missing;
  }
}
