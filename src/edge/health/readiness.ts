import { Injectable } from '@nestjs/common';
import { Database, isReadOnly, PoolExhaustedError, sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';

/**
 * Requires the right to write, but locks no row: a former primary refuses it after a failover, and the pool then drops the connection and
 * finds the new one.
 */
const PING = sql`SELECT FROM event WHERE false FOR KEY SHARE`;
/** Supervisors and load balancers may ask often: the database is asked once in this time. */
export const READINESS = { keptMs: 1_000 };
/** The same state is logged again after this time, a new one at once. */
const LOG_EVERY_MS = 60_000;

export interface Health {
  readonly waitingFor: readonly string[];
  readonly degraded: readonly string[];
}

/** Not ready before start-up is complete, nor during shutdown. */
@Injectable()
export class Readiness {
  private readonly log = new Log('Health');
  private readonly pending = new Set<string>();
  private readonly probes = new Map<string, () => boolean>();
  isLeaving = false;
  private logged = { state: '', at: 0 };
  private kept: { readonly at: number; readonly health: Promise<Health> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** @returns a function to call when the task is done */
  await(what: string): () => void {
    this.pending.add(what);
    return () => void this.pending.delete(what);
  }

  degradedWhen(what: string, isSo: () => boolean): void {
    this.probes.set(what, isSo);
  }

  check(): Promise<Health> {
    const waitingFor = [...(this.isLeaving ? ['leaving'] : []), ...this.pending];
    if (waitingFor.length > 0) return this.report(waitingFor);
    const now = this.clock.elapsed();
    if (!this.kept || now - this.kept.at >= READINESS.keptMs)
      this.kept = { at: now, health: this.databaseFaults().then((faults) => this.report(faults)) };
    return this.kept.health;
  }

  private async report(waitingFor: readonly string[]): Promise<Health> {
    const degraded = waitingFor.length === 0 ? this.weaknesses() : [];
    this.logChange(waitingFor, degraded);
    return { waitingFor, degraded };
  }

  private async databaseFaults(): Promise<string[]> {
    try {
      await this.database.query(PING);
    } catch (error) {
      if (error instanceof PoolExhaustedError) return ['database connections are all in use'];
      return [isReadOnly(error) ? 'database is read-only' : 'database'];
    }
    return this.database.isFull ? ['database is full'] : [];
  }

  private weaknesses(): string[] {
    const found = [...this.probes].flatMap(([what, isSo]) => (isSo() ? [what] : []));
    if (!this.events.current) found.push('events');
    if (this.events.hasLateConsumer) found.push('event consumers');
    return found.sort();
  }

  private logChange(waitingFor: readonly string[], degraded: readonly string[]): void {
    const state = [...waitingFor.map((what) => `waits for: ${what}`), ...degraded.map((what) => `degraded: ${what}`)].join(', ');
    const now = this.clock.elapsed();
    if (state === this.logged.state && (state === '' || now - this.logged.at < LOG_EVERY_MS)) return;
    if (this.isLeaving) return; // the operator, or a supervisor, has asked for that
    if (waitingFor.length > 0) this.log.warn('health_not_ready', {}, `/health/ready is 503, ${state}`);
    else if (state !== '') this.log.warn('health_degraded', {}, `/health/ready is 200, ${state}`);
    else this.log.info('health_ready', {}, '/health/ready is 200 again');
    this.logged = { state, at: now };
  }
}
