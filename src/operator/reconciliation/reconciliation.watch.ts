import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LightningNode, type ChannelBalance } from '../../money/lightning/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { ReconciliationService } from './reconciliation.service.js';

const COUNT_UNEXPLAINED = sql`SELECT count(*)::int AS n FROM node_payment WHERE verdict = 'unexplained'`;
const EVERY_MS = 15_000;
const LIMIT_MS = 600_000;

/** Compares at the start, and then all the time: so after every outage of the node and of the database too. */
@Injectable()
export class ReconciliationWatch implements OnApplicationBootstrap {
  private readonly log = new Log('Reconciliation');
  private comparedAt = -Infinity;
  private balance: ChannelBalance = { status: 'unknown' };

  constructor(
    private readonly reconciliation: ReconciliationService,
    private readonly node: LightningNode,
    database: Database,
    loops: Loops,
    metrics: Metrics,
  ) {
    loops.run({
      name: 'reconciliation',
      pauseMs: EVERY_MS,
      limitMs: LIMIT_MS,
      round: (signal) => this.look(signal),
      onFailure: ({ message }) =>
        this.log.warn('reconciliation_unavailable', {}, `The node could not be compared with the ledger: ${message}`),
    });
    metrics.gauge(
      'sluice_reconciliation_age_seconds',
      'Time since this process last compared the node with the ledger up to its latest payment',
      () => (Date.now() - this.comparedAt) / 1000,
    );
    metrics.gauge(
      'sluice_reconciliation_unexplained_payments',
      'Payments of nodes that a restored database may have lost, until an operator accepts them',
      async () => (await database.query<{ n: number }>(COUNT_UNEXPLAINED))[0]?.n ?? 0,
    );
    metrics.labelledGauge('sluice_lightning_channel_msat', 'Balances of the channels of the node, when they were last asked', 'side', () =>
      this.sides(),
    );
  }

  /** Before requests are answered: a restored database must not pay. */
  async onApplicationBootstrap(): Promise<void> {
    await this.reconciliation.guard();
  }

  private async look(signal: AbortSignal): Promise<void> {
    if ((await this.reconciliation.compare(signal)) === 'compared') this.comparedAt = Date.now();
    this.balance = await this.node.channelBalance();
  }

  private sides(): Record<string, number> {
    if (this.balance.status !== 'known') return {};
    const { localMsat, remoteMsat, inFlightMsat } = this.balance;
    return { local: Number(localMsat), remote: Number(remoteMsat), in_flight: Number(inFlightMsat) };
  }
}
