import { isUnavailable, type Database, type Tx, isConnectionSpent } from '../database/index.js';
import { storedError } from '../kernel/text.js';
import { within } from '../kernel/within.js';
import type { Log } from '../logging/index.js';
import type { EventMap, Topic } from './event-map.js';
import type { OutboxRow } from './outbox.js';
import type { RowReaders } from './row-readers.js';
import { MAX_HANDLED, MAX_PAUSE_SECONDS, type ConsumerOptions } from './consumer-options.js';
import type { ConsumerClaim, ConsumerStore, DeadLetter } from './consumer.store.js';
import { findPlaces, listEvents, type EventPlace } from './event.store.js';

/** Marks an error of a handler or a reader, as opposed to one of Sluice's own statements. */
export class HandlerError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The transaction of a handler: it ends with the handler, and knows whether its session was lost. */
export class HandlerTx implements Tx {
  isLost = false;
  /** The first statement that failed: PostgreSQL accepts no other one after it, also if the handler catches the error. */
  failure: Error | undefined;
  private isOver = false;

  constructor(private readonly tx: Tx) {}

  async query<Row>(...[statement, values]: Parameters<Tx['query']>): Promise<Row[]> {
    if (this.isOver) throw new Error('The transaction of this event has ended');
    try {
      return await this.tx.query<Row>(statement, values);
    } catch (error) {
      this.isLost ||= isConnectionSpent(error);
      this.failure ??= error as Error;
      throw error;
    }
  }

  end(): void {
    this.isOver = true;
  }
}

interface ConsumerParts {
  readonly database: Database;
  readonly store: ConsumerStore;
  readonly readers: RowReaders;
  readonly log: Log;
  readonly onConsumed: () => void;
}

/** Events of one transaction, which begins no other event once it has lasted this long: others wait for its locks. */
const BATCH = 500;
const BATCH_MS = 500;
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_SECONDS = 1;
/** Less than the idle limit of a transaction, so that the consumer itself reports what takes too long. */
const MAX_HANDLER_MS = 20_000;

type Attempt = { readonly letter: DeadLetter } | { readonly claim: ConsumerClaim; readonly places: readonly EventPlace[] };

/**
 * Handles the events of one topic, each at least once, in the order of their commits, in one process at a time. An event whose handler
 * fails is tried again after growing pauses; then it becomes a dead letter, and the consumer continues with the next one.
 */
export class EventConsumer {
  /** Events of a batch that has failed: they are handled one at a time, to find the one at fault. */
  private oneByOne = 0;
  /** The errors of statements that handlers of the present transaction have caught. */
  private caught: Error | undefined;
  private hasHandled = false;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly parts: ConsumerParts,
  ) {}

  /** Handles the next events in one transaction. @returns whether there may be more to handle now */
  async handleNext(): Promise<boolean> {
    let attempt: Attempt | undefined;
    this.caught = undefined;
    this.hasHandled = false;
    try {
      const isMore = await this.parts.database.transaction(async (tx) => {
        const { name, topic } = this.options;
        const claim = await this.parts.store.claim(tx, name);
        // Not due, another process has it, or the operator has made Sluice forget it: then it begins again.
        if (!claim) return this.parts.store.ensure(tx, this.options).then(() => false);
        const letter = claim.hasDueLetter ? await this.parts.store.findDueLetter(tx, name) : undefined;
        if (letter) {
          attempt = { letter };
          await this.handle(tx, [letter]);
          await this.parts.store.dropLetter(tx, letter);
          return true;
        }
        const limit = claim.attempts > 0 || this.oneByOne > 0 ? 1 : BATCH;
        const { places, end, isMore } = await findPlaces(tx, topic, claim, limit);
        attempt = { claim, places };
        const last = await this.handlePicked(tx, places);
        const isPart = last !== undefined && (last !== places.at(-1) || isMore);
        const position = isPart || last?.position === end ? last?.position : end;
        if (position !== undefined && (last || position !== claim.position))
          await this.parts.store.advance(tx, name, position, position === last?.position ? last.nth : 0);
        this.oneByOne = Math.max(0, this.oneByOne - 1);
        return isPart || isMore;
      });
      if (this.hasHandled) this.parts.onConsumed();
      return isMore;
    } catch (error) {
      if (attempt && 'places' in attempt && attempt.places.length > 1) this.oneByOne = attempt.places.length;
      // An outage of the database says nothing about the event. What a handler throws does, whatever it looks like, and so does a transaction
      // that it has made useless.
      if (!attempt || (!(error instanceof HandlerError) && isUnavailable(error))) throw error;
      return this.noteFailure(attempt, storedError(this.reasonOf(error as Error)));
    }
  }

  private reasonOf(error: Error): string {
    return this.caught && !(error instanceof HandlerError)
      ? `${error.message} (the handler caught: ${this.caught.message})`
      : error.message;
  }

  /** @returns the last one that is done, handled or passed */
  private async handlePicked(tx: Tx, places: readonly EventPlace[]): Promise<EventPlace | undefined> {
    const picked = await this.picked(tx, places);
    const events = await listEvents(tx, picked.slice(0, MAX_HANDLED));
    const next = (await this.handle(tx, events)) ?? picked[MAX_HANDLED];
    if (!next) return places.at(-1);
    return places[places.findIndex(({ position, nth }) => position === next.position && nth === next.nth) - 1];
  }

  /** @returns the first one that the next transaction has, never the first of all; undefined: all are handled */
  private async handle<Row extends OutboxRow>(tx: Tx, rows: readonly Row[]): Promise<Row | undefined> {
    const until = performance.now() + BATCH_MS;
    const deliveries = await this.guarded(tx, (own) => this.parts.readers.complete(own, rows));
    const events = rows.flatMap((row, index) => {
      const event = deliveries[index]?.event as EventMap[Topic] | undefined;
      return event === undefined ? [] : [{ row, event, key: row.key }];
    });
    const { atOnce } = this.options;
    for (let start = 0; start < events.length; start += atOnce) {
      const part = events.slice(start, start + atOnce);
      if (start > 0 && performance.now() > until) return part[0]?.row;
      this.hasHandled = true;
      await this.guarded(tx, (own) => this.options.handle(part, own));
    }
    return undefined;
  }

  private async picked(tx: Tx, places: readonly EventPlace[]): Promise<readonly EventPlace[]> {
    const { pick } = this.options;
    if (!pick) return places;
    const keys = new Set(await this.guarded(tx, (own) => pick([...new Set(places.map(({ key }) => key))], own)));
    return places.filter(({ key }) => keys.has(key));
  }

  /** After its time the transaction of the consumer's code ends, and with it what that code may still ask of the database. */
  private async guarded<T>(tx: Tx, work: (own: HandlerTx) => Promise<T>): Promise<T> {
    const own = new HandlerTx(tx);
    try {
      return await within(MAX_HANDLER_MS, work(own), () => {
        throw new Error(`The handler was not done within ${MAX_HANDLER_MS / 1000} s`);
      });
    } catch (error) {
      throw own.isLost ? error : new HandlerError(error);
    } finally {
      this.caught ??= own.failure;
      own.end();
    }
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
    const { claim, places } = attempt;
    if (places.length > 1) return true;
    const attempts = claim.attempts + 1;
    const [place] = places;
    if (attempts >= MAX_ATTEMPTS && place) return this.addDeadLetter(claim, place, error);
    const pauseSeconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** claim.attempts, MAX_PAUSE_SECONDS);
    await this.parts.store.failed(name, claim, error, pauseSeconds);
    this.parts.log.warn(
      'events_consumer_failed',
      { consumer: name, topic, attempts },
      `Consumer ${name}: attempt ${attempts} of ${MAX_ATTEMPTS} failed, the next one in ${pauseSeconds} s: ${error}`,
    );
    return false;
  }

  private async addDeadLetter(claim: ConsumerClaim, place: EventPlace, error: string): Promise<boolean> {
    const { name, topic } = this.options;
    const { database, store, log } = this.parts;
    const isBuried = await database.transaction(async (tx) => {
      const now = await store.claim(tx, name);
      if (now?.position !== claim.position || now.handled !== claim.handled) return false;
      await store.addLetter(tx, name, place, error);
      await store.advance(tx, name, place.position, place.nth);
      return true;
    });
    if (isBuried)
      log.error(
        'events_dead_letter',
        { consumer: name, topic, key: place.key },
        `Consumer ${name}: an event failed ${MAX_ATTEMPTS} times: ${error}`,
      );
    return isBuried;
  }
}
