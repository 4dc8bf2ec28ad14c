import { attributes, html, type Html } from './html.js';

/** When the page is made; relative times refer to it. The server does not know the reader's time zone, so it writes UTC. */
export interface PageTime {
  readonly now: Date;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const timeOf = (at: Date): string => at.toISOString().slice(11, 19);
const dateOf = (at: Date): string => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''}`;
const fullDateOf = (at: Date): string => `${dateOf(at)} ${at.getUTCFullYear()}`;
const daysBetween = (from: Date, to: Date): number => Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS);
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

type Style = 'moment' | 'day' | 'exact' | 'soon';

/** @param retold how the page's script rewrites it in the browser's time zone; null: it stays unchanged */
function timeElement(at: Date, text: string, retold: Style | null): Html {
  const iso = at.toISOString();
  const title = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  const machine = `${iso.slice(0, 19)}Z`;
  return html`<time ${attributes({ datetime: machine, title, 'data-local': retold })}>${text}</time>`;
}

function momentText(at: Date, { now }: PageTime): string {
  const ago = now.getTime() - at.getTime();
  // The database's clock may be slightly ahead of this one: that counts as now.
  if (ago < MINUTE_MS) return 'Just now';
  if (ago < HOUR_MS) return `${plural(Math.floor(ago / MINUTE_MS), 'minute')} ago`;
  const time = `${timeOf(at).slice(0, 5)} UTC`;
  const days = daysBetween(at, now);
  if (days === 0) return `Today, ${time}`;
  if (days === 1) return `Yesterday, ${time}`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? `${dateOf(at)}, ${time}` : fullDateOf(at);
}

/** When an event happened, for lists: "2 minutes ago", "Today, 09:41 UTC", "Yesterday, 16:20 UTC", "19 Nov, 19:30 UTC", "2 Nov 2025". */
export function moment(at: Date, time: PageTime): Html {
  const text = momentText(at, time);
  return timeElement(at, text, text.endsWith(' UTC') ? 'moment' : null);
}

export const lastUse = (at: Date | null, time: PageTime): Html | string => (at ? moment(at, time) : 'Not used yet');

export const day = (at: Date): Html => timeElement(at, fullDateOf(at), 'day');

/** When access ends: "21 Nov 2027"; within a week also the days until then. Never relative alone. */
export function until(at: Date, { now }: PageTime): Html {
  const days = daysBetween(now, at);
  const near = days < 0 || days > 7 ? '' : days === 0 ? ', today' : `, in ${plural(days, 'day')}`;
  return timeElement(at, `${fullDateOf(at)}${near}`, null);
}

export function soon(at: Date, { now }: PageTime): Html {
  // Rounded up to the minute, so that it has happened then.
  const minute = new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);
  return timeElement(minute, `${timeOf(minute).slice(0, 5)} UTC ${daysBetween(now, minute) > 0 ? 'tomorrow' : 'today'}`, 'soon');
}

export const exact = (at: Date): Html => timeElement(at, `${fullDateOf(at)}, ${timeOf(at)} UTC`, 'exact');

/** Below the time of the last one. */
export const times = (count: number): Html | false => count > 1 && html`<br /><span class="sub">${count} times</span>`;

/** Rounded up, so that a retry then succeeds. */
export function inWords(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds));
  if (count < 90) return `in ${plural(count, 'second')}`;
  if (count < 90 * 60) return `in ${plural(Math.ceil(count / 60), 'minute')}`;
  return `in ${plural(Math.ceil(count / 3600), 'hour')}`;
}

export function sinceWords(from: Date, now: Date): string {
  const ms = now.getTime() - from.getTime();
  if (ms < MINUTE_MS) return 'less than a minute';
  if (ms < HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute');
  return ms < 2 * DAY_MS ? plural(Math.floor(ms / HOUR_MS), 'hour') : plural(Math.floor(ms / DAY_MS), 'day');
}
