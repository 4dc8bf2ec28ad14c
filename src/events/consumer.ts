import { isUnavailable, type Database, type Tx } from '../database/index.js';
import type { Log } from '../logging/index.js';
import type { EventMap, Topic } from './event-map.js';
import type { OutboxRow } from './outbox.js';
import type { RowReaders } from './row-readers.js';
import type { ConsumedEvent, ConsumerClaim, ConsumerStore, DeadLetter } from './consumer.store.js';

/**
 * Handles one event. What it writes by `tx` is committed together with the consumer's position: once. Effects elsewhere may be repeated.
 * @param tx ends with the handler
 */
export type ConsumeEvent<T extends Topic> = (event: EventMap[T], tx: Tx, key: string) => Promise<void>;

export interface ConsumerOptions {
  readonly name: string;
  readonly topic: Topic;
  readonly handle: ConsumeEvent<Topic>;
}

interface Parts {
  readonly database: Database;
  readonly store: ConsumerStore;
  readonly readers: RowReaders;
  readonly log: Log;
}

/** Events of one transaction, which begins no other event once it has lasted this long. */
const BATCH = 50;
const BATCH_MS = 500;
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 300;
/** Less than the idle limit of a transaction, so that the consumer itself reports what takes too long. */
const MAX_HANDLER_MS = 20_000;

/** What was attempted when a transaction failed. */
type Attempt = { readonly letter: DeadLetter } | { readonly claim: ConsumerClaim; readonly events: readonly ConsumedEvent[] };

/**
 * Handles the events of one topic, each at least once, in the order of their commits, in one process at a time. An event whose handler
 * fails is tried again after growing pauses; then it becomes a dead letter, and the consumer continues with the next one.
 */
export class EventConsumer {
  /** Events of a batch that has failed: they are handled one at a time, to find the one at fault. */
  private oneByOne = 0;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly parts: Parts,
  ) {}

  /** Handles what there is. */
  async round(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.handleNext()));
  }

  /** @returns whether there may be more to handle now */
  private async handleNext(): Promise<boolean> {
    let attempt: Attempt | undefined;
    try {
      return await this.parts.database.transaction(async (tx) => {
        const { name, topic } = this.options;
        const claim = await this.parts.store.claim(tx, name);
        if (!claim) return false;
        if (!claim.isComplete) return this.stopOverrun(tx);
        const letter = await this.parts.store.findDueLetter(tx, name);
        if (letter) {
          attempt = { letter };
          await this.handleAll(tx, [letter]);
          await this.parts.store.dropLetter(tx, letter);
          return true;
        }
        const { rows, isMore } = await this.parts.store.read(tx, topic, claim);
        const found = rows.filter((row): row is ConsumedEvent => row.topic !== null);
        const events = found.slice(0, claim.attempts > 0 || this.oneByOne > 0 ? 1 : BATCH);
        attempt = { claim, events };
        const handled = await this.handleAll(tx, events);
        const isPart = handled < found.length;
        const last = isPart ? found[handled - 1] : rows.at(-1);
        if (last) await this.parts.store.advance(tx, name, last.position, 'nth' in last && last.topic !== null ? last.nth : 0);
        this.oneByOne = Math.max(0, this.oneByOne - 1);
        return isPart || isMore;
      });
    } catch (error) {
      if (attempt && 'events' in attempt && attempt.events.length > 1) this.oneByOne = attempt.events.length;
      // The database's own outage says nothing about the event.
      if (!attempt || isUnavailable(error)) throw error;
      return this.noteFailure(attempt, error instanceof Error ? error.message : String(error));
    }
  }

  /** @returns how many were handled; at least one */
  private async handleAll(tx: Tx, rows: readonly OutboxRow[]): Promise<number> {
    const until = performance.now() + BATCH_MS;
    let handled = 0;
    for (const { event, key } of await this.parts.readers.complete(tx, rows)) {
      if (handled > 0 && performance.now() > until) break;
      if (event !== undefined) await this.handleOne(tx, event as EventMap[Topic], key);
      handled++;
    }
    return handled;
  }

  /** After its time the handler's transaction ends, and with it what the handler may still ask of the database. */
  private async handleOne(tx: Tx, event: EventMap[Topic], key: string): Promise<void> {
    let isOver = false;
    const own: Tx = {
      query: async (statement, values) => {
        if (isOver) throw new Error('The transaction of this event has ended');
        return tx.query(statement, values);
      },
    };
    let limit: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        this.options.handle(event, own, key),
        new Promise((_resolve, reject) => {
          const late = (): void => reject(new Error(`The handler was not done within ${MAX_HANDLER_MS / 1000} s`));
          limit = setTimeout(late, MAX_HANDLER_MS).unref();
        }),
      ]);
    } finally {
      isOver = true;
      clearTimeout(limit);
    }
  }

  private async stopOverrun(tx: Tx): Promise<false> {
    const { name } = this.options;
    await this.parts.store.overrun(tx, name);
    this.parts.log.error(
      'events_consumer_overrun',
      { consumer: name },
      `Consumer ${name}: events that it had not handled were deleted; it is stopped until \`sluice events replay ${name}\``,
    );
    return false;
  }

  private async noteFailure(attempt: Attempt, error: string): Promise<boolean> {
    const { name, topic } = this.options;
    if ('letter' in attempt) {
      await this.parts.store.keepLetter(attempt.letter, error);
      this.parts.log.error(
        'events_dead_letter',
        { consumer: name, topic, key: attempt.letter.key },
        `Consumer ${name}: dead letter ${attempt.letter.id} failed again: ${error}`,
      );
      return true;
    }
    const { claim, events } = attempt;
    if (events.length > 1) return true;
    const attempts = claim.attempts + 1;
    const [event] = events;
    if (attempts >= MAX_ATTEMPTS && event) return this.bury(claim, event, error);
    const pauseSeconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** claim.attempts, MAX_PAUSE_SECONDS);
    await this.parts.store.failed(name, claim, error, pauseSeconds);
    this.parts.log.warn(
      'events_consumer_failed',
      { consumer: name, topic, attempts },
      `Consumer ${name}: attempt ${attempts} of ${MAX_ATTEMPTS} failed, the next one in ${pauseSeconds} s: ${error}`,
    );
    return false;
  }

  private async bury(claim: ConsumerClaim, event: ConsumedEvent, error: string): Promise<boolean> {
    const { name, topic } = this.options;
    const { database, store, log } = this.parts;
    const isBuried = await database.transaction(async (tx) => {
      const now = await store.claim(tx, name);
      if (now?.position !== claim.position || now.handled !== claim.handled) return false;
      await store.bury(tx, name, event, error);
      await store.advance(tx, name, event.position, event.nth);
      return true;
    });
    if (isBuried)
      log.error(
        'events_dead_letter',
        { consumer: name, topic, key: event.key },
        `Consumer ${name}: an event failed ${MAX_ATTEMPTS} times: ${error}`,
      );
    return isBuried;
  }
}
