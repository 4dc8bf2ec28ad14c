import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, queryOne, sql } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { Readiness } from './readiness.js';

const EVERY_MS = 10_000;
/** A slower answer says too little about the time at which it was given. */
const MAX_ROUND_TRIP_MS = 2_000;
const MAX_DIFFERENCE_MS = 60_000;

const NOW = sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;

/** Sets `Clock` by the database's clock, which all processes share, and reports how wrong that of this machine is. */
@Injectable()
export class ClockWatch implements OnModuleInit {
  private readonly log = new Log(ClockWatch.name);
  private readonly steps;
  private differenceMs = 0;
  private originMs: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    loops: Loops,
    metrics: Metrics,
    readiness: Readiness,
  ) {
    metrics.gauge('sluice_clock_difference_seconds', 'How far the clock of the process is ahead of that of the database', () => {
      return this.differenceMs / 1000;
    });
    this.steps = metrics.counter('sluice_database_clock_steps_total', 'Times that the clock of the database was set by more than a minute');
    readiness.degradedWhen('clock', () => Math.abs(this.differenceMs) > MAX_DIFFERENCE_MS);
    // An outage of the database is reported by whatever needs it.
    loops.run({ name: 'clock', pauseMs: EVERY_MS, round: () => this.measure(), onFailure: () => undefined });
  }

  /** Before the first request. */
  async onModuleInit(): Promise<void> {
    await this.measure().catch(() => undefined);
  }

  async measure(): Promise<void> {
    const sentAt = performance.now();
    const { nowMs } = await queryOne<{ nowMs: number }>(this.database, NOW);
    const roundTripMs = performance.now() - sentAt;
    if (roundTripMs > MAX_ROUND_TRIP_MS) return;
    const databaseMs = nowMs + roundTripMs / 2;
    this.noteStep(databaseMs - performance.now());
    this.clock.follow(databaseMs);
    this.differenceMs = Date.now() - databaseMs;
  }

  private noteStep(originMs: number): void {
    const seconds = Math.round((originMs - (this.originMs ?? originMs)) / 1000);
    this.originMs = originMs;
    if (Math.abs(seconds) * 1000 <= MAX_DIFFERENCE_MS) return;
    this.steps.inc();
    this.log.error('database_clock_set', { seconds }, `The clock of the database was set by ${seconds} s`);
  }
}
