import type { Database } from '../database/index.js';
import { EventStore, type EventPage } from './event.store.js';
import type { EventMap, Topic } from './event-map.js';
import type { RowReaders } from './row-readers.js';

const CURSOR = /^(\d{1,18}):(\d{1,10})$/;
/** A cursor that begins with the next event has this index: more than any position has events. */
const ALL = 2_147_483_647;

export class EventReader {
  private readonly stored: EventStore;

  constructor(
    private readonly database: Database,
    private readonly readers: RowReaders,
  ) {
    this.stored = new EventStore(database);
  }

  async present(): Promise<string> {
    return `${await this.stored.latest()}:${ALL}`;
  }

  /**
   * @param cursor undefined: the oldest events that are kept
   * @returns undefined if events after the cursor were deleted, or if it is none
   */
  async readSince<T extends Topic>(topic: T, cursor: string | undefined, limit: number): Promise<EventPage<EventMap[T]> | undefined> {
    const [, position = '', handled = ''] = CURSOR.exec(cursor ?? '0:0') ?? [];
    if (position === '' || Number(handled) > ALL) return undefined;
    const after = { position: BigInt(position), handled: Number(handled) };
    const { places, end, isMore } = await this.stored.findPlaces(this.database, topic, after, limit);
    const events = await this.stored.list(this.database, places);
    // Looked at after the read: what is deleted between the two is found.
    if (!(await this.stored.isKept(after.position))) return undefined;
    const deliveries = await this.readers.complete(this.database, events);
    const last = places.at(-1);
    const next = last && (places.length === limit || last.position === end) ? `${last.position}:${last.nth}` : undefined;
    return {
      events: deliveries.flatMap(({ event }) => (event === undefined ? [] : [event as EventMap[T]])),
      cursor: next ?? (end === undefined || end === after.position ? `${position}:${handled}` : `${end}:0`),
      isMore,
    };
  }
}
