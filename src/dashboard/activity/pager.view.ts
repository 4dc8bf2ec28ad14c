import { buttonLink, html, type Html } from '../../page/index.js';
import type { PageLinks } from './page-links.js';

/** Links to the adjacent pages of a list. */
export function pager({ olderHref, newerHref }: PageLinks): Html | null {
  if (olderHref === null && newerHref === null) return null;
  const newer = newerHref === null ? html`<span></span>` : buttonLink(newerHref, 'Newer', 'quiet');
  const older = olderHref === null ? null : buttonLink(olderHref, 'Older', 'quiet');
  return html`<div class="line apart">${newer}${older}</div>`;
}
