import { cursorIn, cursorText, firstPage, type Cursor, type PageRequest } from '../../platform/database/index.js';
import { PageError, buttonLink, html, type Html } from '../../edge/page/index.js';

export const PAGE_ROWS = 25;

export const newest = (rows: number): PageRequest => firstPage(rows);

export interface PageLinks {
  readonly olderHref: string | null;
  readonly newerHref: string | null;
}

/**
 * The page after or before the cursor in the address.
 * @throws PageError for a cursor that does not belong to this list
 */
export function pageRequestIn({ after, before }: Readonly<Record<string, unknown>>, isId: (id: string) => boolean): PageRequest {
  const first = firstPage(PAGE_ROWS);
  if (before !== undefined) return { ...first, forward: false, before: cursorOf(before, isId) };
  return after === undefined ? first : { ...first, after: cursorOf(after, isId) };
}

function cursorOf(text: unknown, isId: (id: string) => boolean): Cursor {
  const cursor = typeof text === 'string' ? cursorIn(text, isId) : undefined;
  if (!cursor) throw new PageError({ kind: 'error', error: 'request' });
  return cursor;
}

/** The rows in the order of the page, newest first, without the one that shows that there are more. */
export function rowsOnPage<Row>(rows: readonly Row[], { forward }: PageRequest): Row[] {
  const page = rows.slice(0, PAGE_ROWS);
  return forward ? page : page.reverse();
}

/** A person who came from a newer page can go back to it, and the other way round. @param hasMore in the direction of the request */
export function pageLinks(href: string, page: readonly Cursor[], hasMore: boolean, { forward, after }: PageRequest): PageLinks {
  const [newest, oldest] = [page[0], page.at(-1)];
  return {
    olderHref: oldest && (hasMore || !forward) ? `${href}?after=${cursorText(oldest)}` : null,
    newerHref: newest && (forward ? after : hasMore) ? `${href}?before=${cursorText(newest)}` : null,
  };
}

export function pager({ olderHref, newerHref }: PageLinks): Html | null {
  if (olderHref === null && newerHref === null) return null;
  const newer = newerHref === null ? html`<span></span>` : buttonLink(newerHref, 'Newer', 'quiet');
  const older = olderHref === null ? null : buttonLink(olderHref, 'Older', 'quiet');
  return html`<div class="line apart">${newer}${older}</div>`;
}
