import { Fragment, fragment, sql, type Statement } from './sql.js';

export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** Reads the `limit` rows that follow `after` (older), or that precede `before` (newer), plus one to see whether there are more. */
export interface PageRequest {
  readonly limit: number;
  /** True: from the newest to older. False: towards the newest, nearest first. */
  readonly forward: boolean;
  readonly after: Cursor | undefined;
  readonly before: Cursor | undefined;
}

export const firstPage = (limit: number): PageRequest => ({ limit, forward: true, after: undefined, before: undefined });

export const cursorText = ({ createdAt, id }: Cursor): string => Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

/** @param isId checks the form of this list's ids: the cursor of another list is invalid here */
export function cursorIn(text: string, isId: (id: string) => boolean): Cursor | undefined {
  const [, millis, id] = /^(\d{1,15})\.([0-9a-f-]{36,64})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const found = { createdAt: new Date(Number(millis)), id: id ?? '' };
  return isId(found.id) && cursorText(found) === text ? found : undefined;
}

export interface PagedList {
  /** Must end with a WHERE clause, to which conditions are added. */
  readonly select: Fragment;
  readonly values: number;
  /** The column that orders rows of the same time; a uuid or a hash. */
  readonly id: Fragment;
}

export interface PageStatements {
  readonly forward: Statement;
  readonly backward: Statement;
}

export const pageStatements = (list: PagedList): PageStatements => ({
  forward: sql`${page(list, fragment`DESC`)}`,
  backward: sql`${page(list, fragment`ASC`)}`,
});

const page = ({ select, values, id }: PagedList, direction: Fragment): Fragment =>
  fragment`${select} AND (created_at, ${id}) < ($${values + 1}, $${values + 2}) AND (created_at, ${id}) > ($${values + 3}, $${values + 4})
          ORDER BY created_at ${direction}, ${id} ${direction} LIMIT $${values + 5}`;

export interface MergedLists extends PagedList {
  /** The parameter of `select` with the ids of the lists, each once, and the most that there are. `select` reads one of them, by `list.id`. */
  readonly ids: number;
  readonly max: number;
  readonly order: Readonly<Record<'createdAt' | 'id', Fragment>>;
  /** The condition on the rows that the owner of the lists may see, by the names of `select`. */
  readonly where: Fragment;
}

/** A page reads at most a page of each list, in the order of that list's index. */
export function mergedPageStatements({ ids, max, order, where, ...list }: MergedLists): PageStatements {
  // No unnest: a plan for the two ids at hand would look so much better than one for any array that PostgreSQL would plan each call, at three times its cost.
  const lists = new Fragment(Array.from({ length: max }, (_, index) => `(($${ids}::uuid[])[${index + 1}])`).join());
  // `where` is outside: PostgreSQL would take it for a condition that leaves few rows of a list, and read and sort them all.
  const statement = (direction: Fragment): Statement =>
    sql`SELECT page.* FROM (VALUES ${lists}) AS list (id) CROSS JOIN LATERAL (${page(list, direction)}) AS page
         WHERE ${where} ORDER BY page.${order.createdAt} ${direction}, page.${order.id} ${direction} LIMIT $${list.values + 5}`;
  return { forward: statement(fragment`DESC`), backward: statement(fragment`ASC`) };
}

/** Times before and after every row: the id beside them decides nothing, and fits every id column. */
const ANY_ID = '00000000-0000-0000-0000-000000000000';
const NEWEST: Cursor = { createdAt: new Date(8_640_000_000_000), id: ANY_ID };
const OLDEST: Cursor = { createdAt: new Date(0), id: ANY_ID };

export function pageQuery(
  { forward, backward }: PageStatements,
  values: readonly unknown[],
  pageRequest: PageRequest,
): [statement: Statement, values: unknown[]] {
  const { after = NEWEST, before = OLDEST } = pageRequest;
  const bounds = [after.createdAt, after.id, before.createdAt, before.id, pageRequest.limit + 1];
  return [pageRequest.forward ? forward : backward, [...values, ...bounds]];
}
