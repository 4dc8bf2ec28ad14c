import { fragment, sql, type Fragment, type Statement } from './sql.js';

/** A position in a list that is sorted by time and then by id. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** What to read: the `limit` rows that follow `after` (older), or that precede `before` (newer), plus one to see whether there are more. */
export interface PageRequest {
  readonly limit: number;
  /** True: from the newest to older. False: towards the newest, nearest first. */
  readonly forward: boolean;
  readonly after: Cursor | undefined;
  readonly before: Cursor | undefined;
}

/** The newest rows of a list. */
export const firstPage = (limit: number): PageRequest => ({ limit, forward: true, after: undefined, before: undefined });

/** The cursor's form in the API. */
export const cursorText = ({ createdAt, id }: Cursor): string => Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

/** @param isId checks the form of this list's ids: the cursor of another list is invalid here */
export function cursorIn(text: string, isId: (id: string) => boolean): Cursor | undefined {
  const [, millis, id] = /^(\d{1,15})\.([0-9a-f-]{36,64})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const found = { createdAt: new Date(Number(millis)), id: id ?? '' };
  return isId(found.id) && cursorText(found) === text ? found : undefined;
}

/** A list that is read in pages. */
export interface PagedList {
  /** Must end with a WHERE clause, to which conditions are added. */
  readonly select: Fragment;
  /** The number of parameters of `select`. */
  readonly values: number;
  /** The column that orders rows of the same time; a uuid or a hash. */
  readonly id: Fragment;
}

export interface PageStatements {
  readonly forward: Statement;
  readonly backward: Statement;
}

export function pageStatements({ select, values, id }: PagedList): PageStatements {
  const statement = (direction: Fragment): Statement =>
    sql`${select} AND (created_at, ${id}) < ($${values + 1}, $${values + 2}) AND (created_at, ${id}) > ($${values + 3}, $${values + 4})
          ORDER BY created_at ${direction}, ${id} ${direction} LIMIT $${values + 5}`;
  return { forward: statement(fragment`DESC`), backward: statement(fragment`ASC`) };
}

/** Times before and after every row: the id beside them decides nothing, and fits every id column. */
const ANY_ID = '00000000-0000-0000-0000-000000000000';
const NEWEST: Cursor = { createdAt: new Date(8_640_000_000_000), id: ANY_ID };
const OLDEST: Cursor = { createdAt: new Date(0), id: ANY_ID };

/** The statement that reads a page, with its values. @param values the parameters of `select` */
export function pageQuery(
  { forward, backward }: PageStatements,
  values: readonly unknown[],
  pageRequest: PageRequest,
): [statement: Statement, values: unknown[]] {
  const { after = NEWEST, before = OLDEST } = pageRequest;
  const bounds = [after.createdAt, after.id, before.createdAt, before.id, pageRequest.limit + 1];
  return [pageRequest.forward ? forward : backward, [...values, ...bounds]];
}
