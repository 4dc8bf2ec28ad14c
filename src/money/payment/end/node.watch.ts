import { Injectable } from '@nestjs/common';
import { Readiness } from '../../../edge/health/index.js';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { LightningNode } from '../../lightning/index.js';
import { Log } from '../../../platform/logging/index.js';
import { Loops } from '../../../platform/loop/index.js';
import { Metrics } from '../../../platform/metrics/index.js';

const EVERY_MS = 5_000;
const FIRST_EVERY_MS = 500;

/** Probes the Lightning node: Sluice is not ready until the node has answered once; later, an unreachable node only degrades it. */
@Injectable()
export class NodeWatch {
  private readonly log = new Log('Lightning');
  private readonly reached: () => void;
  private wasReached = false;
  private isThere = false;

  constructor(
    private readonly node: LightningNode,
    loops: Loops,
    readiness: Readiness,
    metrics: Metrics,
  ) {
    loops.run({
      name: 'lightning_node',
      pauseMs: () => (this.wasReached ? EVERY_MS : FIRST_EVERY_MS),
      round: (signal) => this.look(signal),
      onFailure: ({ message }) => this.log.warn('lightning_node_unreachable', {}, `The Lightning node could not be asked: ${message}`),
    });
    this.reached = readiness.await('lightning');
    readiness.degradedWhen('lightning', () => this.wasReached && !this.isThere);
    metrics.gauge('sluice_lightning_node_reachable', '1 while the Lightning node answers, else 0', () => Number(this.isThere));
  }

  private async look(signal: AbortSignal): Promise<void> {
    const status = (await unlessAborted(this.node.info(), signal))?.status;
    if (status === undefined) return;
    const isThere = status === 'ready';
    if (this.isThere && !isThere)
      this.log.warn('lightning_node_unreachable', {}, 'The Lightning node does not answer; sends fail or stay pending');
    if (!this.isThere && isThere && this.wasReached) this.log.info('lightning_node_reachable', {}, 'The Lightning node answers again');
    if (isThere && !this.wasReached) this.reached();
    this.isThere = isThere;
    this.wasReached ||= isThere;
  }
}
