import { Clock } from '../kernel/clock.js';
import { LogInterval } from '../logging/index.js';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../metrics/index.js';

export interface LoopOptions {
  readonly name: string;
  /** Milliseconds from the end of a round to the next one; it may depend on how long the round took. Shortened at random by up to a tenth. */
  readonly pauseMs: number | ((roundMs: number) => number);
  /** After each failed round in a row the pause doubles, up to this; absent: it does not grow. */
  readonly maxPauseMs?: number;
  /** When a round gets its `signal` aborted and counts as late; absent: a round may last for as long as the process. */
  readonly limitMs?: number;
  /** One round. On `signal` it ends soon: the loop stops, or the round is past its limit. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Logs the failure of a round: the first one, then at most one in 30 s. A failure after `stop()` is not reported. */
  readonly onFailure: (error: Error) => void;
}

export type RoundResult = 'done' | 'failed' | 'late';

const JITTER = 0.1;
const REPORT_EVERY_MS = 30_000;
const LATE = Symbol('late');

/** Work that a process repeats while it lives: never two rounds at once, and a failed round ends nothing but itself. */
export class Loop {
  private cancelPause = (): void => undefined;
  private rounds: Promise<void> | undefined;
  private round: AbortController | undefined;
  private startedAt: number | undefined;
  private readonly reports = new LogInterval(REPORT_EVERY_MS);
  private failures = 0;
  private isWoken = false;
  private isStarted = false;
  private stopped = false;

  constructor(
    private readonly options: LoopOptions,
    private readonly clock: Clock,
    private readonly count: (result: RoundResult) => void,
  ) {}

  /** How long the present round has lasted; 0 between rounds. */
  get roundMs(): number {
    return this.startedAt === undefined ? 0 : performance.now() - this.startedAt;
  }

  start(): void {
    this.isStarted = true;
    this.pause(0);
  }

  /** Runs a round now, or again as soon as the present one has ended without a failure. Before the start it does nothing. */
  wake(): void {
    if (!this.isStarted || this.stopped) return;
    this.isWoken = true;
    this.run();
  }

  /** Aborts the present round and waits for its end. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelPause();
    this.round?.abort();
    await this.rounds;
  }

  private pause(ms: number): void {
    if (this.stopped) return;
    this.cancelPause = this.clock.timeout(ms * (1 - JITTER * Math.random()), () => this.run());
  }

  private run(): void {
    // Begins in a microtask, so that a round that wakes its own loop finds it running.
    this.rounds ??= Promise.resolve()
      .then(() => this.runWhileWoken())
      .finally(() => (this.rounds = undefined));
  }

  private async runWhileWoken(): Promise<void> {
    this.cancelPause();
    if (this.stopped) return;
    let roundMs: number;
    do {
      this.isWoken = false;
      roundMs = await this.runOnce();
    } while (this.isWoken && this.failures === 0 && !this.stopped);
    const { pauseMs, maxPauseMs = 0 } = this.options;
    const pause = typeof pauseMs === 'number' ? pauseMs : pauseMs(roundMs);
    this.pause(Math.max(pause, Math.min(pause * 2 ** Math.max(0, this.failures - 1), maxPauseMs)));
  }

  private async runOnce(): Promise<number> {
    const startedAt = (this.startedAt = performance.now());
    const { limitMs = Infinity, round, onFailure } = this.options;
    const present = (this.round = new AbortController());
    const limit = limitMs < Infinity ? setTimeout(() => present.abort(LATE), limitMs).unref() : undefined;
    let failure: Error | undefined;
    try {
      await round(present.signal);
    } catch (error) {
      failure = error as Error;
    } finally {
      clearTimeout(limit);
      this.startedAt = undefined;
    }
    const isLate = present.signal.reason === LATE;
    if (isLate) failure = new Error(`it was not over within ${limitMs / 1000} s`);
    if (failure && !this.stopped && this.reports.isOver('', this.clock.elapsed())) onFailure(failure);
    this.failures = failure ? this.failures + 1 : 0;
    this.count(isLate ? 'late' : failure ? 'failed' : 'done');
    return performance.now() - startedAt;
  }
}

/** Makes the loops of this process, and measures them. */
@Injectable()
export class Loops implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loops = new Map<string, Loop>();
  private readonly own: Loop[] = [];
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

  onApplicationBootstrap(): void {
    for (const loop of this.own) loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.own.map((loop) => loop.stop()));
  }

  /**
   * A loop that starts when the application has started, and stops when it shuts down. Call it in a constructor.
   * @throws Error if this process has a loop of that name
   */
  run(options: LoopOptions): Loop {
    const loop = this.create(options);
    this.own.push(loop);
    return loop;
  }

  /** A loop that its owner starts and stops. @throws Error if this process has a loop of that name */
  create(options: LoopOptions): Loop {
    const { name } = options;
    if (this.loops.has(name)) throw new Error(`There are two loops called ${name}`);
    const loop = new Loop(options, this.clock, (result) => this.rounds.inc({ loop: name, result }));
    this.loops.set(name, loop);
    return loop;
  }
}
