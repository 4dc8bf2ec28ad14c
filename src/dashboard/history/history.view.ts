import { buttonLink, empty, headline, html, shellPage, type Html, type ShellFrame } from '../../page/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { paths } from '../paths.js';

export interface HistoryModel {
  readonly frame: ShellFrame;
  /** Newest first. */
  readonly activity: readonly Activity[];
  /** Addresses of the adjacent pages; `null` at the ends. */
  readonly olderHref: string | null;
  readonly newerHref: string | null;
}

function pager({ olderHref, newerHref }: HistoryModel): Html | null {
  if (olderHref === null && newerHref === null) return null;
  const newer = newerHref === null ? html`<span></span>` : buttonLink(newerHref, 'Newer', 'quiet');
  const older = olderHref === null ? null : buttonLink(olderHref, 'Older', 'quiet');
  return html`<div class="line apart">${newer}${older}</div>`;
}

/** `/dashboard/history`: all payments. */
export function historyPage(model: HistoryModel): Html {
  const none = empty('No payments yet', 'Your payments will appear here.', buttonLink(paths.receive, 'Create invoice'));
  const list = model.activity.length > 0 ? activityList(model.activity, model.frame) : none;
  const body = html`${headline({ title: 'History' })}
    <section class="card" aria-label="Payments">${list}</section>
    ${pager(model)}`;
  return shellPage(model.frame, { title: 'History', currentEntry: 'history', body });
}
