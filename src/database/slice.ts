import type { Statement } from './database.js';

/** A place in a list that is sorted by time and then by id. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** What to read: the `limit` rows that follow `after` (older), or that precede `before` (newer); one more says whether there is more. */
export interface Slice {
  readonly limit: number;
  /** True: from the newest on. False: towards the newest, the nearest first. */
  readonly forward: boolean;
  readonly after: Cursor | undefined;
  readonly before: Cursor | undefined;
}

/** The newest rows of a list. */
export const firstPage = (limit: number): Slice => ({ limit, forward: true, after: undefined, before: undefined });

/** A cursor as those see it who page through a list. */
export const cursorText = ({ createdAt, id }: Cursor): string => Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

/** @param isId what the ids of the list look like: the cursor of another list is none of this one */
export function cursorIn(text: string, isId: (id: string) => boolean): Cursor | undefined {
  const [, millis, id] = /^(\d{1,15})\.([0-9a-f-]{36,64})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const found = { createdAt: new Date(Number(millis)), id: id ?? '' };
  return isId(found.id) && cursorText(found) === text ? found : undefined;
}

/** A list that is read by slices. */
export interface SlicedList {
  /** Of its statements. */
  readonly name: string;
  /** Ends with a condition of its own. */
  readonly select: string;
  /** How many values `select` takes. */
  readonly values: number;
  /** The column that tells rows of one moment apart; a uuid or a hash. */
  readonly id: string;
}

export interface SliceStatements {
  readonly forward: Statement;
  readonly backward: Statement;
}

export function sliceStatements({ name, select, values, id }: SlicedList): SliceStatements {
  const [afterTime, afterId, beforeTime, beforeId, limit] = [1, 2, 3, 4, 5].map((place) => `$${values + place}`);
  const statement = (direction: 'DESC' | 'ASC'): Statement => ({
    name: `${name}_${direction.toLowerCase()}`,
    text: `${select} AND (created_at, ${id}) < (${afterTime}, ${afterId}) AND (created_at, ${id}) > (${beforeTime}, ${beforeId})
          ORDER BY created_at ${direction}, ${id} ${direction} LIMIT ${limit}`,
  });
  return { forward: statement('DESC'), backward: statement('ASC') };
}

/** Moments of no row: the id beside them decides nothing, and fits every column. */
const ANY_ID = '00000000-0000-0000-0000-000000000000';
const NEWEST: Cursor = { createdAt: new Date(8_640_000_000_000), id: ANY_ID };
const OLDEST: Cursor = { createdAt: new Date(0), id: ANY_ID };

/** The statement that reads a slice, with its values. @param values those that `select` takes */
export function sliceQuery(
  { forward, backward }: SliceStatements,
  values: readonly unknown[],
  slice: Slice,
): [statement: Statement, values: unknown[]] {
  const { after = NEWEST, before = OLDEST } = slice;
  const bounds = [after.createdAt, after.id, before.createdAt, before.id, slice.limit + 1];
  return [slice.forward ? forward : backward, [...values, ...bounds]];
}
