import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, DATABASE_OPTIONS, type DatabaseOptions } from '../database/index.js';
import { Log, LogInterval } from '../logging/index.js';
import { Loops, type Loop } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import type { EventMap, Topic } from './event-map.js';
import { connectionBudget } from './connection-budget.js';
import type { ConsumeEvent, ConsumeEvents, ConsumeOptions } from './consumer-options.js';
import { EventConsumers } from './consumers.js';
import { presentCursor, readSince, type EventPage } from './event.store.js';
import { EventSettings } from './event.settings.js';
import { Listeners } from './listeners.js';
import { Outbox } from './outbox.js';
import { RowReaders, type ReadRows } from './row-readers.js';
import type { RowSource } from './row-source.js';
import type { Stream } from './stream.js';

/** Poll interval without NOTIFY: a notification may be lost, or another process may have died before sending it. */
const POLL_MS = 300;
/** After this time without a poll, this process may have missed events. Revocations must take effect within a second. */
const STALE_MS = 900;
const DELIVERY_CHECK_MS = 3;
/** A lag above this at two checks in a row raises an alarm; at one check it may follow a stall of the whole process. */
const LATE_SECONDS = 2;
const ALARM_CHECK_MS = 1_000;
const PURGE_EVERY_MS = 600_000;

/**
 * After-commit events. SQL writes them to the outbox (`event_add`) in the transaction that they report; this class delivers them in every
 * process, in commit order, at least once. A handler that fails never affects the transaction that caused the event.
 */
@Injectable()
export class Events implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log(Events.name);
  private readonly listeners = new Listeners(this.log);
  private readonly outbox: Outbox;
  private readonly readers = new RowReaders(this.log);
  private readonly consumers: EventConsumers;
  /** Processes on the database, at the start of this one. @internal */
  processes = 1;
  private lastReadAt: number | undefined;
  private purgedAt = performance.now();
  private lateChecks = 0;
  private readonly lateLog = new LogInterval(30_000);
  /** This process has added events and has not notified the others yet. */
  private mustNotify = false;
  private readonly feed: Loop;

  constructor(
    @Inject(DATABASE_OPTIONS) options: DatabaseOptions,
    settings: EventSettings,
    private readonly database: Database,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.consumers = new EventConsumers(database, this.readers, loops, metrics, this.log);
    const onConnect = connectionBudget(options, new Log('Database'), (processes) => (this.processes = processes));
    const listener = { onConnect, onNotice: () => this.feed.wake(), onGap: () => this.skip() };
    const connection = options.directConnection ?? options.connection;
    this.outbox = new Outbox(connection, settings.EVENT_KEEP_HOURS, listener, this.log, this.readers.sources);
    this.feed = loops.create({
      name: 'events',
      pauseMs: POLL_MS,
      round: () => this.readOrDisconnect(),
      onFailure: ({ message }) => this.log.warn('events_read_failed', {}, `Events could not be read: ${message}`),
    });
    loops.run({
      name: 'event_alarm',
      pauseMs: ALARM_CHECK_MS,
      round: async () => this.watchLag(),
      onFailure: ({ message }) => this.log.warn('events_read_failed', {}, `The lag of events could not be checked: ${message}`),
    });
    metrics.gauge('sluice_event_lag_seconds', 'Age of the last read that returned every event', () => this.lagSeconds);
  }

  async onModuleInit(): Promise<void> {
    await this.outbox.connect();
    this.feed.start();
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onApplicationShutdown(): Promise<void> {
    const stopped = Promise.all([this.consumers.stop(), this.feed.stop()]);
    // Ends a read that waits for the database.
    this.outbox.close();
    await stopped;
  }

  /** Seconds since this process last had every event; normally at most the poll interval, a third of a second. */
  get lagSeconds(): number {
    return this.lastReadAt === undefined ? 0 : (performance.now() - this.lastReadAt) / 1000;
  }

  /** The server's id of the session that lasts as long as this process, which shares `AdvisoryLock.processes`; undefined while it is lost. */
  readonly sessionPid = (): number | undefined => this.outbox.sessionPid;

  /** An event has waited for a durable consumer of this process for more than a minute. */
  get hasLateConsumer(): boolean {
    return this.consumers.isLate;
  }

  /** False while this process may have missed an event: then bypass a cache that events invalidate. */
  get current(): boolean {
    const { lastReadAt = -Infinity } = this;
    return this.outbox.connected && lastReadAt >= this.outbox.connectedAt && performance.now() - lastReadAt < STALE_MS;
  }

  /** Call after a commit that added events: all processes deliver them now instead of at the next poll. */
  poll(): void {
    this.mustNotify = true;
    this.feed.wake();
  }

  /** Await it after a commit that ended a credential, before the answer: this process has delivered its event, or bypasses its caches. */
  async delivered(): Promise<void> {
    const since = performance.now();
    this.poll();
    while (this.current && (this.lastReadAt ?? 0) < since) await delay(DELIVERY_CHECK_MS);
  }

  /**
   * Calls `handler` for every event of a topic, or of one key of it.
   * @returns a function that ends the subscription
   */
  on<T extends Topic>(topic: T, handler: (event: EventMap[T], key: string) => void | Promise<void>, only?: string): () => void {
    return this.listeners.add(topic, handler, only);
  }

  /** Calls `handler` when events were missed that can no longer be read: a cache that events invalidate must be cleared. */
  onGap(handler: () => void): () => void {
    return this.listeners.onGap(handler);
  }

  /**
   * Handlers of `topic` receive what `read` makes of the stored events: it is called with those of a page that have a handler. When the
   * database is away, the page is read again; after any other failure of `read` these events are dropped and logged. Call it in a
   * constructor, before events are delivered. Instead of a function it may be the table of the rows: while there are few events, those are
   * then read together with them.
   */
  readRows<T extends Topic, Row extends object>(topic: T, read: ReadRows<T> | RowSource<T, Row>): void {
    this.readers.set(topic, read);
  }

  /**
   * Handles every event of a topic at least once, in the order of the commits, in one process at a time, also those that are committed
   * while no process runs. What the handler writes by its `tx` is written once. A handler that fails is called again after growing pauses;
   * after ten attempts the event becomes a dead letter, which the operator sees and replays (`sluice events`). Call it in a constructor.
   * @param name of the position, unique on this database: begin it with the extension's name
   * @param from where a consumer begins that has no position yet: with the next event, or with the oldest that is kept
   * @throws Error if the name is malformed or taken
   */
  consume<T extends Topic>(name: string, topic: T, handle: ConsumeEvent<T>, from: 'next' | 'oldest' = 'next'): void {
    const each: ConsumeEvents<T> = async (events, tx) => {
      for (const { event, key } of events) await handle(event, tx, key);
    };
    this.consumers.add(name, topic, each, { from, atOnce: 1 });
  }

  /**
   * Calls the handler with up to 50 events at once: for one statement that does the work of all, and for locks that others wait for. When it
   * throws, it is called with one event at a time, so that only the one at fault waits.
   * @throws Error if the name is malformed or taken
   */
  consumeTogether<T extends Topic>(name: string, topic: T, handle: ConsumeEvents<T>, options: ConsumeOptions = {}): void {
    this.consumers.add(name, topic, handle, options);
  }

  /**
   * Calls `listener` in this process after each commit in which a consumer's handler has been called: for work that what it wrote begins, and
   * that would else begin at its next poll. A process that dies in between does not call it. @internal
   */
  onConsumed(name: string, listener: () => void): void {
    this.consumers.onConsumed(name, listener);
  }

  /**
   * Stored events after a place, in the order of their commits: for a reader that polls, and keeps its place itself. Events are kept for an
   * hour at least.
   * @param cursor that of the last page; undefined: the oldest events that are kept
   * @returns undefined if events after the cursor were deleted: then begin again from the tables
   */
  readSince<T extends Topic>(topic: T, cursor: string | undefined, limit: number): Promise<EventPage<EventMap[T]> | undefined> {
    return readSince(this.database, this.readers, topic, cursor, limit);
  }

  /** The cursor of the present: `readSince` returns what is committed after it. */
  presentCursor(): Promise<string> {
    return presentCursor(this.database);
  }

  /** Notifies the handlers of this process alone, of a change that it has detected without an event. */
  notify<T extends Topic>(topic: T, event: EventMap[T], key: string): void {
    this.listeners.notify({ topic, key }, event);
  }

  /** Events of one key, with one listener per stream. `return()` ends it at once. */
  stream<T extends Topic>(topic: T, key: string): Stream<EventMap[T]> {
    return this.listeners.stream<EventMap[T]>(topic, key);
  }

  /** After a failure the next round begins with a new connection. */
  private async readOrDisconnect(): Promise<void> {
    try {
      await this.readPage();
    } catch (error) {
      this.outbox.close();
      throw error;
    }
  }

  private async readPage(): Promise<void> {
    if (!this.outbox.connected) await this.outbox.connect();
    const startedAt = performance.now();
    const { mustNotify } = this;
    this.mustNotify = false;
    const page = await this.outbox.read((topic) => this.listeners.hearsTopic(topic));
    this.consumers.wake(new Set(page.rows.map(({ topic }) => topic)));
    // Under load, most events have no handler in this process: those are not parsed, and their rows are not read.
    const wanted = page.rows.filter((row) => this.listeners.hears(row));
    for (const delivery of await this.readers.read(this.outbox, wanted)) this.listeners.notify(delivery, delivery.event);
    this.outbox.advance(page);
    if (!page.more) this.lastReadAt = startedAt;
    if (mustNotify) await this.outbox.notify();
    if (performance.now() - this.purgedAt > PURGE_EVERY_MS && (await this.outbox.purge())) this.purgedAt = performance.now();
    if (page.more) this.feed.wake();
  }

  private skip(): void {
    this.log.warn(
      'events_missed',
      {},
      'Events were missed and reading continues at the present: the database was restored, or this process was disconnected for an hour',
    );
    this.listeners.notifyOfGap();
  }

  private watchLag(): void {
    const { lagSeconds } = this;
    const wasLate = this.lateChecks > 1;
    this.lateChecks = lagSeconds > LATE_SECONDS ? this.lateChecks + 1 : 0;
    if (wasLate && this.lateChecks === 0) this.log.info('events_current', {}, 'Events are read again');
    if (this.lateChecks < 2 || !this.lateLog.isOver()) return;
    const text = `Events are ${lagSeconds.toFixed(1)} s late: live updates wait, and revocations are looked up`;
    this.log.error('events_late', { lagSeconds }, text);
  }
}
