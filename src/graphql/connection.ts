import { InvalidInput } from './refusal.js';

/** Relay's page arguments. Absent and null mean the same. */
export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

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

export interface Connection<Row> {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export const LONGEST_PAGE = 100;

const refuse = (message: string, argument: string): never => {
  throw InvalidInput.of(message, 'INVALID_INPUT', [argument]).toGraphQLError();
};

export const cursorText = ({ createdAt, id }: Cursor): string => Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

function cursorIn(text: string | null | undefined, argument: string, isId: (id: string) => boolean): Cursor | undefined {
  if (text === null || text === undefined) return undefined;
  const [, millis, id] = /^(\d{1,15})\.([0-9a-f-]{36,64})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const found = { createdAt: new Date(Number(millis)), id: id ?? '' };
  return isId(found.id) && cursorText(found) === text ? found : refuse(`"${argument}" is not a cursor of this list`, argument);
}

/**
 * @param isId what the ids of this list look like, so that the cursor of another one is refused
 * @throws GraphQLError `INVALID_INPUT` for both of `first` and `last`, for a number outside 1 to 100 and for a foreign cursor
 */
export function sliceOf({ first, last, after, before }: PageArgs, isId: (id: string) => boolean): Slice {
  if (first != null && last != null) refuse('"first" and "last" cannot be combined', 'first');
  const asked = first ?? last ?? LONGEST_PAGE;
  if (asked < 1 || asked > LONGEST_PAGE)
    refuse(`"${first == null ? 'last' : 'first'}" must be 1 to ${LONGEST_PAGE}`, first == null ? 'last' : 'first');
  return { limit: asked, forward: last == null, after: cursorIn(after, 'after', isId), before: cursorIn(before, 'before', isId) };
}

/** @param rows in the order of the slice, one more than its limit where there is more */
export function connectionOf<Row>(rows: readonly Row[], slice: Slice, cursorOf: (row: Row) => Cursor): Connection<Row> {
  const page = rows.slice(0, slice.limit);
  const more = rows.length > slice.limit;
  const edges = (slice.forward ? page : page.reverse()).map((node) => ({ cursor: cursorText(cursorOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: slice.forward && more,
      hasPreviousPage: !slice.forward && more,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
