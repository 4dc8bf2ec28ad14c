import { cursorIn, cursorText, type Cursor, type PageRequest } from '../../platform/database/index.js';
import { InvalidInput } from './refusal.js';

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
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

export const MAX_PAGE = 100;

const refuse = (message: string, argument: string): never => {
  throw InvalidInput.of(message, 'INVALID_INPUT', [argument]);
};

function cursorOf(text: string | null | undefined, argument: string, isId: (id: string) => boolean): Cursor | undefined {
  if (text === null || text === undefined) return undefined;
  return cursorIn(text, isId) ?? refuse(`"${argument}" must be a cursor of this list`, argument);
}

/**
 * @param isId checks the form of this list's ids, so that a cursor of another list is refused
 * @throws GraphQLError `INVALID_INPUT` for `first` with `last`, a number outside 1 to 100, or a foreign cursor
 */
export function pageRequestOf({ first, last, after, before }: PageArgs, isId: (id: string) => boolean): PageRequest {
  if (first != null && last != null) refuse('Set "first" or "last", not both', 'first');
  const asked = first ?? last ?? MAX_PAGE;
  if (asked < 1 || asked > MAX_PAGE)
    refuse(`"${first == null ? 'last' : 'first'}" must be from 1 to ${MAX_PAGE}`, first == null ? 'last' : 'first');
  return { limit: asked, forward: last == null, after: cursorOf(after, 'after', isId), before: cursorOf(before, 'before', isId) };
}

/** @param rows in the requested order, with one row beyond the limit when there are more */
export function connectionOf<Row>(rows: readonly Row[], pageRequest: PageRequest, positionOf: (row: Row) => Cursor): Connection<Row> {
  const page = rows.slice(0, pageRequest.limit);
  const more = rows.length > pageRequest.limit;
  const edges = (pageRequest.forward ? page : page.reverse()).map((node) => ({ cursor: cursorText(positionOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: pageRequest.forward && more,
      hasPreviousPage: !pageRequest.forward && more,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
