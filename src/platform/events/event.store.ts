import { fragment, sql, type Database, type Tx } from '../database/index.js';
import type { OutboxRow } from './outbox.js';

export interface EventPlace {
  readonly position: bigint;
  readonly nth: number;
  readonly key: string;
}

export interface StoredEvent extends EventPlace, OutboxRow {}

export interface PlacesPage {
  readonly places: readonly EventPlace[];
  /** The last position that was looked at; undefined if there is none. */
  readonly end: bigint | undefined;
  readonly isMore: boolean;
}

interface PageRow extends Omit<EventPlace, 'key'> {
  /** Null: the row of the end. */
  readonly key: string | null;
}

/** The events of a topic after a place, in the order of their commits, for a reader that keeps its place itself. */
export interface EventPage<Event> {
  readonly events: readonly Event[];
  /** The place after these events: ask for the next ones with it. */
  readonly cursor: string;
  readonly isMore: boolean;
}

export const LATEST = fragment`coalesce((SELECT max(position) FROM event_position), 0)`;
const POSITION = sql`SELECT ${LATEST} AS position`;
const IS_KEPT = sql`SELECT event_is_kept($1) AS "isKept"`;
/** Positions of one read; most may be of other topics. */
const PAGE = 500;
const READ = sql`SELECT at_position AS position, nth, key FROM event_consumer_page($1, $2, $3, ${PAGE}, $4)`;
const PAYLOADS = sql`SELECT at_position AS position, nth, topic, key, payload::text AS payload FROM event_payloads($1, $2)`;

export class EventStore {
  constructor(private readonly database: Database) {}

  /** Finds the next events of a topic after the first `handled` ones of a position, in at most PAGE positions. */
  async findPlaces(
    tx: Tx,
    topic: string,
    { position, handled }: { readonly position: bigint; readonly handled: number },
    limit: number,
  ): Promise<PlacesPage> {
    const rows = await tx.query<PageRow>(READ, [position, handled, topic, limit]);
    const places = rows.filter((row): row is EventPlace => row.key !== null);
    const end = rows.find((row) => row.key === null);
    return { places, end: end?.position ?? undefined, isMore: places.length === limit || end?.nth === PAGE };
  }

  /** The events at these places, in the same order; without those that were deleted since they were found. */
  async list(tx: Tx, places: readonly EventPlace[]): Promise<StoredEvent[]> {
    if (places.length === 0) return [];
    return tx.query<StoredEvent>(PAYLOADS, [places.map(({ position }) => position), places.map(({ nth }) => nth)]);
  }

  /** Returns whether the events after this position are still kept; its own event is their mark. */
  async isKept(position: bigint): Promise<boolean> {
    return (await this.database.query<{ isKept: boolean }>(IS_KEPT, [position]))[0]?.isKept === true;
  }

  async latest(): Promise<bigint> {
    return (await this.database.query<{ position: bigint }>(POSITION))[0]?.position ?? 0n;
  }
}
