import { isUnavailable, type Tx } from '../database/index.js';
import type { Log } from '../logging/index.js';
import type { EventMap, Topic } from './event-map.js';
import type { OutboxRow } from './outbox.js';
import { rowsById, type RowSource, type TopicRows } from './row-source.js';

/**
 * Reads what stored events are about, in one statement: one value an event, in their order; undefined for an event that is delivered to no
 * handler. Payloads are as `event_add` got them.
 */
export type ReadRows<T extends Topic> = (tx: Tx, payloads: readonly unknown[]) => Promise<readonly (EventMap[T] | undefined)[]>;

interface Delivery {
  readonly topic: string;
  readonly key: string;
  event: unknown;
  readonly named: object | undefined;
}

/** Events of one statement: what their rows take in memory is bounded. */
const MAX_EVENTS = 1_000;

type RowReader = (tx: Tx, payloads: readonly unknown[], named: readonly (object | undefined)[]) => Promise<readonly unknown[]>;

interface EventConnection extends Tx {
  readonly connected: boolean;
}

/** Completes stored events, which name a row and its new state, by the rows themselves. */
export class RowReaders {
  readonly sources: TopicRows[] = [];
  private readonly byTopic = new Map<string, RowReader>();

  constructor(private readonly log: Log) {}

  set<T extends Topic, Row extends object>(topic: T, read: ReadRows<T> | RowSource<T, Row>): void {
    if (topic === 'credential.revoked') throw new Error('Revocations are delivered as they are: no reader may drop or delay one');
    if (this.byTopic.has(topic)) throw new Error(`Rows of ${topic} have a reader already`);
    if (typeof read === 'function') return void this.byTopic.set(topic, read);
    const source: TopicRows = { topic, ...read };
    this.sources.push(source);
    this.byTopic.set(topic, readerOf(source));
  }

  /** Reads the rows for handlers in the order of the events, with one statement a topic. Events whose reader fails are dropped. */
  async read(connection: EventConnection, rows: readonly OutboxRow[]): Promise<Delivery[]> {
    const deliveries = await this.complete(connection, rows, (error, topic, count) => {
      // An outage is passed on, and the page is read again; a broken connection has many errors. A fault of the reader would be the same
      // each time.
      if (isUnavailable(error) || !connection.connected) throw error;
      this.log.error(
        'events_reader_failed',
        { topic, count },
        `The rows of ${count} events of ${topic} could not be read; they are dropped`,
        error,
      );
    });
    return deliveries.filter(({ event }) => event !== undefined);
  }

  /** The `event` of a delivery is undefined if it is for no handler, or if `onFault` has returned; without it the error of the reader is thrown. */
  async complete(
    tx: Tx,
    rows: readonly OutboxRow[],
    onFault?: (error: unknown, topic: string, count: number) => void,
  ): Promise<Delivery[]> {
    const deliveries = rows.map(({ topic, key, payload, named }): Delivery => ({
      topic,
      key,
      named,
      event: JSON.parse(payload) as unknown,
    }));
    for (const [topic, read] of this.byTopic) {
      const concerned = deliveries.filter((delivery) => delivery.topic === topic);
      for (let start = 0; start < concerned.length; start += MAX_EVENTS) {
        const part = concerned.slice(start, start + MAX_EVENTS);
        const events = await readPart(tx, part, read).catch((error: unknown): readonly unknown[] => {
          if (!onFault) throw error;
          onFault(error, topic, part.length);
          return [];
        });
        part.forEach((delivery, index) => (delivery.event = events[index]));
      }
    }
    return deliveries;
  }
}

/** Reads by id. A row that an operator has deleted is delivered to no handler. */
function readerOf(source: TopicRows): RowReader {
  const statement = rowsById(source);
  return async (tx, payloads, named) => {
    if (named.every((row) => row !== undefined)) return named.map((row, index) => source.at(row, payloads[index]));
    const changes = payloads as readonly { readonly id: string }[];
    const rows = await tx.query<{ readonly id: string }>(statement, [[...new Set(changes.map(({ id }) => id))]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return changes.map((stored) => {
      const row = byId.get(stored.id);
      return row && source.at(row, stored);
    });
  };
}

async function readPart(tx: Tx, part: readonly Delivery[], read: RowReader): Promise<readonly unknown[]> {
  const events = await read(
    tx,
    part.map(({ event }) => event),
    part.map(({ named }) => named),
  );
  // A shorter list would give an event the row of another account.
  if (events.length !== part.length) throw new Error(`The reader returned ${events.length} values for ${part.length} events`);
  return events;
}
