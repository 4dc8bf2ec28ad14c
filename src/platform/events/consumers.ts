import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/index.js';
import { LogInterval, type Log } from '../logging/index.js';
import type { Loop, Loops } from '../loop/index.js';
import type { Metrics } from '../metrics/index.js';
import { EventConsumer } from './consumer.js';
import { MAX_HANDLED, type ConsumeEvents, type ConsumeOptions } from './consumer-options.js';
import type { Topic } from './event-map.js';
import { ConsumerStore, type ConsumerState } from './consumer.store.js';
import type { RowReaders } from './row-readers.js';

/** Consumers that use a connection at the same time; the others wait for their turn. */
const MAX_AT_ONCE = 2;
/** While events come in a stream, a consumer handles those of this time together: a transaction for each would take more than a tenth of the CPU of a payment. */
const GATHER_MS = 50;
const POLL_MS = 1_000;
/** A consumer whose oldest event waits for longer than this is reported, and makes its process degraded. */
const LATE_SECONDS = 60;
const LATE_CHECK_MS = 5_000;
const NAME = /^[a-z][a-z0-9_.-]{0,62}$/;

interface Registered {
  readonly loop: Loop;
  readonly topic: string;
}

export class EventConsumers {
  private readonly store: ConsumerStore;
  private readonly registered = new Map<string, Registered>();
  private readonly consumed = new Map<string, (() => void)[]>();
  private readonly waiting: (() => void)[] = [];
  private readonly reports = new LogInterval(LATE_SECONDS * 1_000);
  private running = 0;
  /** A consumer of this process does not keep up. */
  isLate = false;
  private isStarted = false;

  constructor(
    private readonly database: Database,
    private readonly readers: RowReaders,
    private readonly loops: Loops,
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.store = new ConsumerStore(database);
    const byName = async (read: (consumer: ConsumerState) => number): Promise<Record<string, number>> =>
      Object.fromEntries((await this.store.list()).map((consumer) => [consumer.name, read(consumer)]));
    loops.run({
      name: 'consumer_lag',
      pauseMs: LATE_CHECK_MS,
      round: () => this.watchLag(),
      onFailure: ({ message }) => log.warn('events_read_failed', {}, `The lag of consumers could not be checked: ${message}`),
    });
    metrics.labelledGauge(
      'sluice_event_consumer_lag_seconds',
      'Age of the oldest event that a durable consumer has not read',
      'consumer',
      () => byName(({ lagSeconds }) => lagSeconds),
    );
    metrics.labelledGauge(
      'sluice_event_consumer_overrun',
      '1 for a durable consumer that is stopped because events were deleted',
      'consumer',
      () => byName(({ state }) => Number(state === 'overrun')),
    );
    metrics.labelledGauge('sluice_event_dead_letters', 'Events that a durable consumer could not handle', 'consumer', () =>
      byName(({ deadLetters }) => deadLetters),
    );
  }

  /** @throws Error if the name is malformed or taken */
  add<T extends Topic>(
    name: string,
    topic: T,
    handle: ConsumeEvents<T>,
    { from, pick, atOnce = MAX_HANDLED }: ConsumeOptions & { readonly atOnce?: number },
  ): void {
    if (!NAME.test(name))
      throw new Error(`The consumer "${name}" needs a name of small letters, digits and _ . -, of at most 63 characters`);
    if (this.registered.has(name)) throw new Error(`There are two consumers called ${name}`);
    const { database, readers, log } = this;
    const fromStart = from === 'oldest';
    const consumer = { name, topic, handle: handle as ConsumeEvents<Topic>, pick, atOnce, fromStart };
    const worker = new EventConsumer(consumer, {
      database,
      store: this.store,
      readers,
      log,
      onConsumed: () => this.consumed.get(name)?.forEach((listener) => listener()),
    });
    let isKnown = false;
    let endedAt = -GATHER_MS;
    const loop = this.loops.create({
      name: `consumer ${name}`,
      pauseMs: POLL_MS,
      round: async (signal) => {
        if (!isKnown) await this.store.register(name, topic, fromStart);
        isKnown = true;
        // The first event of a stream, or one that comes alone, waits for no other.
        if (performance.now() - endedAt < GATHER_MS) await delay(GATHER_MS, undefined, { signal }).catch(() => undefined);
        // A turn is one transaction: others have theirs in between, however long a backlog is.
        while (!signal.aborted && (await this.inTurn(() => worker.handleNext())));
        endedAt = performance.now();
      },
      onFailure: ({ message }) =>
        log.warn('events_consumer_unavailable', { consumer: name }, `Consumer ${name}: its events could not be read: ${message}`),
    });
    this.registered.set(name, { loop, topic });
    if (this.isStarted) loop.start();
  }

  onConsumed(name: string, listener: () => void): void {
    this.consumed.set(name, [...(this.consumed.get(name) ?? []), listener]);
  }

  start(): void {
    this.isStarted = true;
    for (const { loop } of this.registered.values()) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.registered.values()].map(({ loop }) => loop.stop()));
  }

  wake(topics: ReadonlySet<string>): void {
    if (this.isStarted) for (const { loop, topic } of this.registered.values()) if (topics.has(topic)) loop.wake();
  }

  private async watchLag(): Promise<void> {
    const late = (await this.store.list()).filter(
      ({ name, state, lagSeconds }) => this.registered.has(name) && state === 'running' && lagSeconds > LATE_SECONDS,
    );
    this.isLate = late.length > 0;
    for (const { name: consumer, lagSeconds } of late)
      if (this.reports.isOver(consumer))
        this.log.error(
          'events_consumer_late',
          { consumer, lagSeconds },
          `Consumer ${consumer}: its oldest event has waited for ${lagSeconds.toFixed(0)} s`,
        );
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      // The turn is passed on, not given back, so that no later caller takes it.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
