import { EventEmitter } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DATABASE_OPTIONS, type DatabaseOptions } from '../database/index.js';
import { Metrics } from '../metrics/index.js';
import type { EventMap, Topic } from './event-map.js';
import { listen } from './listen.js';
import { Outbox } from './outbox.js';
import type { Stream } from './stream.js';

/** Looked at this often even if nobody calls: a notice may be lost, another process may have died before it sent one. */
const POLL_MS = 300;
/** After so long without a look there may be events that we have not seen. Revocations are promised within a second. */
const STALE_MS = 900;
/** Later than this, and at two looks in a row, is an alarm: one look may follow a moment in which the whole process stood still. */
const LATE_SECONDS = 2;
const ALARM_LOOK_MS = 1_000;
const ALARM_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 600_000;
/** No topic: those are words with a dot. */
const GAP = Symbol('gap');

/**
 * After-commit events. They are written by SQL, as rows of the outbox (`event_add`), in the transaction they tell of; here they reach
 * every process, in commit order, at least once. A handler can never fail what caused the event.
 */
@Injectable()
export class Events implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(Events.name);
  private readonly bus = new EventEmitter().setMaxListeners(0);
  private readonly outbox: Outbox;
  /** Undefined before the first. */
  private lastLook: number | undefined;
  private forgottenAt = performance.now();
  private lateLooks = 0;
  private toldLateAt = -Infinity;
  private looking = false;
  private again = false;
  /** Somebody here has added events since other processes were told. */
  private mustNotify = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private alarm: NodeJS.Timeout | undefined;

  constructor(@Inject(DATABASE_OPTIONS) options: DatabaseOptions, metrics: Metrics) {
    this.outbox = new Outbox(options.directConnection ?? options.connection, {
      onNotice: () => this.look(),
      onLost: () => this.log.warn('The event connection was lost'),
      onGap: () => this.skip(),
      onPreparedTransactions: () =>
        this.log.error(
          'The server allows prepared transactions, and one that is left open stops every payment: set max_prepared_transactions = 0',
        ),
    });
    metrics.gauge('sluice_event_lag_seconds', 'Age of the last look that saw every event there was', () => this.lagSeconds);
  }

  async onModuleInit(): Promise<void> {
    await this.outbox.connect();
    this.look();
    this.alarm = setInterval(() => this.watchLag(), ALARM_LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearInterval(this.alarm);
    this.outbox.close();
  }

  /** How long ago this process last knew of every event. A third of a second, where all is well. */
  get lagSeconds(): number {
    return this.lastLook === undefined ? 0 : (performance.now() - this.lastLook) / 1000;
  }

  /** False while an event may exist that we have not seen: whoever caches what events invalidate must look past its cache. */
  get current(): boolean {
    return this.outbox.connected && this.lastLook !== undefined && performance.now() - this.lastLook < STALE_MS;
  }

  /** Call after a commit that added events: they are delivered now instead of at the next look, in other processes too. */
  wake(): void {
    this.mustNotify = true;
    this.look();
  }

  /**
   * Calls `handler` for every event of a topic, or of one key of it.
   * @returns a function that ends it
   */
  on<T extends Topic>(topic: T, handler: (event: EventMap[T], key: string) => void | Promise<void>, only?: string): () => void {
    const name = only === undefined ? topic : `${topic} ${only}`;
    const listener = (event: EventMap[T], key: string): void => {
      // A handler that throws or rejects is its owner's bug; the others, and what caused the event, go on.
      Promise.resolve()
        .then(() => handler(event, key))
        .catch((error: unknown) => this.log.error(`A handler of ${topic} failed`, error));
    };
    this.bus.on(name, listener);
    return () => void this.bus.off(name, listener);
  }

  /** Calls `handler` when events were missed that cannot be read any more: a cache that events invalidate must begin anew. */
  onGap(handler: () => void): () => void {
    this.bus.on(GAP, handler);
    return () => void this.bus.off(GAP, handler);
  }

  /** Tells the handlers of this process alone, of what it has found out without an event. */
  tell<T extends Topic>(topic: T, event: EventMap[T], key: string): void {
    for (const name of [topic, `${topic} ${key}`]) this.bus.emit(name, event, key);
  }

  /** Events of one key. `return()` ends it at once. Hidden inside: one listener a stream. */
  stream<T extends Topic>(topic: T, key: string): Stream<EventMap[T]> {
    return listen<EventMap[T]>(this.bus, `${topic} ${key}`);
  }

  private look(): void {
    this.again = true;
    if (this.looking || this.stopped) return;
    this.looking = true;
    clearTimeout(this.timer);
    void this.pump().finally(() => {
      this.looking = false;
      if (!this.stopped) this.timer = setTimeout(() => this.look(), POLL_MS);
    });
  }

  private async pump(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.lookOnce();
      } catch (error) {
        if (this.stopped) return;
        this.log.warn(`Events cannot be read now: ${(error as Error).message}`);
        this.outbox.close();
        return;
      }
    }
  }

  private async lookOnce(): Promise<void> {
    if (!this.outbox.connected) await this.outbox.connect();
    const startedAt = performance.now();
    const { mustNotify } = this;
    this.mustNotify = false;
    const { rows, more } = await this.outbox.read();
    for (const { topic, key, payload } of rows) {
      // Most events of a busy house are about somebody who does not listen: nobody reads those.
      const heard = [topic, `${topic} ${key}`].filter((name) => this.bus.listenerCount(name) > 0);
      if (heard.length === 0) continue;
      const event = JSON.parse(payload) as unknown;
      for (const name of heard) this.bus.emit(name, event, key);
    }
    if (!more) this.lastLook = startedAt;
    if (mustNotify) await this.outbox.notify();
    if (performance.now() - this.forgottenAt > FORGET_EVERY_MS) {
      if (await this.outbox.forget()) this.forgottenAt = performance.now();
    }
    this.again ||= more;
  }

  private skip(): void {
    this.log.warn(
      'Events were missed, and reading goes on at the present: the database was restored, or this process was away for an hour',
    );
    this.bus.emit(GAP);
  }

  private watchLag(): void {
    const { lagSeconds } = this;
    const wasLate = this.lateLooks > 1;
    this.lateLooks = lagSeconds > LATE_SECONDS ? this.lateLooks + 1 : 0;
    if (wasLate && this.lateLooks === 0) this.log.log('Events are read again');
    if (this.lateLooks < 2 || performance.now() - this.toldLateAt < ALARM_EVERY_MS) return;
    this.toldLateAt = performance.now();
    this.log.error(
      `Events are ${lagSeconds.toFixed(1)} s late: live updates wait, and revocations are looked up. Look at the connection that LISTENs, and at the database`,
    );
  }
}
