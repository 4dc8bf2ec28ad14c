import { fragment, sql, type Tx, type Fragment } from '../database/index.js';
import type { OutboxRow } from './outbox.js';
import type { EventMap, Topic } from './event-map.js';
import type { RowReaders } from './row-readers.js';

export interface EventPlace {
  readonly position: bigint;
  readonly nth: number;
  readonly key: string;
}

interface PlacesPage {
  readonly places: readonly EventPlace[];
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
const PAGE = 500;
const READ = sql`SELECT at_position AS position, nth, key FROM event_consumer_page($1, $2, $3, ${PAGE}, $4)`;
const PAYLOADS = sql`SELECT at_position AS position, nth, topic, key, payload::text AS payload FROM event_payloads($1, $2)`;

/** Finds the next events of a topic after the first `handled` ones of a position, in at most PAGE positions. */
export async function findPlaces(
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
export async function listEvents(tx: Tx, places: readonly EventPlace[]): Promise<(EventPlace & OutboxRow)[]> {
  if (places.length === 0) return [];
  return tx.query<EventPlace & OutboxRow>(PAYLOADS, [places.map(({ position }) => position), places.map(({ nth }) => nth)]);
}

/** SQL that publishes `credential.revoked` in the transaction of its statement. @param key as `EventMap` says */
export const revocationOf = (key: Fragment): Fragment => fragment`credential_revoked(ARRAY[${key}])`;

export const REVOCATION = revocationOf(fragment`id::text`);

const CURSOR = /^(\d{1,18}):(\d{1,10})$/;
/** A cursor that begins with the next event has this index: more than any position has events. */
const ALL = 2_147_483_647;

export async function presentCursor(tx: Tx): Promise<string> {
  const [latest] = await tx.query<{ position: bigint }>(POSITION);
  return `${latest?.position ?? 0n}:${ALL}`;
}

/** @returns undefined if events after the cursor were deleted, or if it is none */
export async function readSince<T extends Topic>(
  tx: Tx,
  readers: RowReaders,
  topic: T,
  cursor: string | undefined,
  limit: number,
): Promise<EventPage<EventMap[T]> | undefined> {
  const [, position = '', handled = ''] = CURSOR.exec(cursor ?? '0:0') ?? [];
  if (position === '' || Number(handled) > ALL) return undefined;
  const after = { position: BigInt(position), handled: Number(handled) };
  const { places, end, isMore } = await findPlaces(tx, topic, after, limit);
  const events = await listEvents(tx, places);
  // Looked at after the read: what is deleted between the two is found. The event of the position itself is the mark.
  const [kept] = await tx.query<{ isKept: boolean }>(IS_KEPT, [after.position]);
  if (!kept?.isKept) return undefined;
  const deliveries = await readers.complete(tx, events);
  const last = places.at(-1);
  const next = last && (places.length === limit || last.position === end) ? `${last.position}:${last.nth}` : undefined;
  return {
    events: deliveries.flatMap(({ event }) => (event === undefined ? [] : [event as EventMap[T]])),
    cursor: next ?? (end === undefined || end === after.position ? `${position}:${handled}` : `${end}:0`),
    isMore,
  };
}
