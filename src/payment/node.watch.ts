import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Readiness } from '../health/index.js';
import { Clock } from '../kernel/clock.js';
import { LightningNode } from '../lightning/index.js';
import { Log } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';

const EVERY_MS = 5_000;
const FIRST_EVERY_MS = 500;

/** Probes the Lightning node: Sluice is not ready until the node has answered once; later, an unreachable node only degrades it. */
@Injectable()
export class NodeWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('Lightning');
  private readonly reached: () => void;
  private wasReached = false;
  private isThere = false;
  private stopped = false;
  private cancel = (): void => undefined;

  constructor(
    private readonly node: LightningNode,
    private readonly clock: Clock,
    readiness: Readiness,
    metrics: Metrics,
  ) {
    this.reached = readiness.await('lightning');
    readiness.degradedWhen('lightning', () => this.wasReached && !this.isThere);
    metrics.gauge('sluice_lightning_node_reachable', '1 while the Lightning node answers, else 0', () => Number(this.isThere));
  }

  onApplicationBootstrap(): void {
    void this.look();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.cancel();
  }

  private async look(): Promise<void> {
    const isThere = (await this.node.info()).status === 'ready';
    if (this.stopped) return;
    if (this.isThere && !isThere)
      this.log.warn('lightning_node_unreachable', {}, 'The Lightning node does not answer; sends fail or stay pending');
    if (!this.isThere && isThere && this.wasReached) this.log.info('lightning_node_reachable', {}, 'The Lightning node answers again');
    if (isThere && !this.wasReached) this.reached();
    this.isThere = isThere;
    this.wasReached ||= isThere;
    this.cancel = this.clock.timeout(this.wasReached ? EVERY_MS : FIRST_EVERY_MS, () => void this.look());
  }
}
