import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { Loop, type LoopOptions } from './loop.js';

/** Makes the loops of this process, and measures them. Each component starts its own, and stops it when it shuts down. */
@Injectable()
export class Loops {
  private readonly loops = new Map<string, Loop>();
  private readonly rounds: Counter<'loop' | 'result'>;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.rounds = metrics.counter('sluice_loop_rounds_total', 'Rounds of the work that this process repeats, by loop and result', [
      'loop',
      'result',
    ]);
    metrics.labelledGauge('sluice_loop_round_age_seconds', 'Age of the present round of each loop; 0 between rounds', 'loop', () =>
      Object.fromEntries([...this.loops].map(([name, loop]) => [name, loop.roundMs / 1000])),
    );
  }

  /** @throws Error if this process has a loop of that name */
  create(options: LoopOptions): Loop {
    const { name } = options;
    if (this.loops.has(name)) throw new Error(`There are two loops called ${name}`);
    const loop = new Loop(options, this.clock, (result) => this.rounds.inc({ loop: name, result }));
    this.loops.set(name, loop);
    return loop;
  }
}
