import { attributes, html, type Html } from './html.js';

/** By whose clock times are told: the moment the page is made, and the account's IANA time zone, or `null` where it is not known (UTC, and said so). */
export interface Clockwork {
  readonly now: Date;
  readonly zone: string | null;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** "16:20:11" */
  readonly time: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...numeric });
  formats.set(zone, format);
  return format;
}

function partsOf(at: Date, zone: string): Parts {
  const found = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): string => found.get(name) ?? '';
  return {
    year: Number(part('year')),
    month: Number(part('month')),
    day: Number(part('day')),
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
}

const shortDate = ({ day, month }: Parts): string => `${day} ${MONTHS[month - 1] ?? ''}`;
const dayNumber = ({ year, month, day }: Parts): number => Date.UTC(year, month - 1, day) / DAY_MS;
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

type Style = 'moment' | 'day' | 'clock' | 'exact';

/** Marks what the page's script may tell again by the browser's own zone: only where ours had to say UTC. */
function timeElement(at: Date, text: string, style: Style, inUtc: boolean): Html {
  const iso = at.toISOString();
  const title = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  const machine = `${iso.slice(0, 19)}Z`;
  return html`<time ${attributes({ datetime: machine, title, 'data-local': inUtc && style })}>${text}</time>`;
}

function momentText(at: Date, { now, zone }: Clockwork): string {
  const ago = now.getTime() - at.getTime();
  // The database's clock may be a breath ahead of ours: that is now, too.
  if (ago < MINUTE_MS) return 'Just now';
  if (ago < HOUR_MS) return `${plural(Math.floor(ago / MINUTE_MS), 'minute')} ago`;
  const [then, today] = [partsOf(at, zone ?? 'UTC'), partsOf(now, zone ?? 'UTC')];
  const time = `${then.time.slice(0, 5)}${zone === null ? ' UTC' : ''}`;
  const days = dayNumber(today) - dayNumber(then);
  if (days === 0) return `Today, ${time}`;
  if (days === 1) return `Yesterday, ${time}`;
  return then.year === today.year ? `${shortDate(then)}, ${time}` : `${shortDate(then)} ${then.year}`;
}

/** When something happened, for lists: "2 minutes ago", "Today, 09:41", "Yesterday, 16:20", "19 Nov, 19:30", "2 Nov 2025". */
export function moment(at: Date, clockwork: Clockwork): Html {
  const text = momentText(at, clockwork);
  return timeElement(at, text, 'moment', text.endsWith(' UTC'));
}

/** The day on which something happened: "2 Nov 2026". */
export function day(at: Date, { zone }: Clockwork): Html {
  const parts = partsOf(at, zone ?? 'UTC');
  return timeElement(at, `${shortDate(parts)} ${parts.year}`, 'day', zone === null);
}

/** Until when access lasts: "21 Nov 2027", as other days are written; within a week also how near that is. Never relative alone. */
export function until(at: Date, { now, zone }: Clockwork): Html {
  const [then, today] = [partsOf(at, zone ?? 'UTC'), partsOf(now, zone ?? 'UTC')];
  const days = dayNumber(then) - dayNumber(today);
  const near = days < 0 || days > 7 ? '' : days === 0 ? ', today' : `, in ${plural(days, 'day')}`;
  return timeElement(at, `${shortDate(then)} ${then.year}${near}`, 'day', false);
}

/** The time of day, for what ends soon: "10:41". */
export function clock(at: Date, { zone }: Clockwork): Html {
  const time = partsOf(at, zone ?? 'UTC').time.slice(0, 5);
  return timeElement(at, zone === null ? `${time} UTC` : time, 'clock', zone === null);
}

/** To the second and in UTC as well, for the page of one thing: a `title` is out of reach of touch and keyboard. */
export function exact(at: Date, { zone }: Clockwork): Html {
  const parts = partsOf(at, zone ?? 'UTC');
  const text = `${shortDate(parts)} ${parts.year}, ${parts.time}`;
  if (zone === null) return timeElement(at, `${text} UTC`, 'exact', true);
  return html`${timeElement(at, text, 'exact', false)} <span class="sub">${at.toISOString().slice(11, 19)} UTC</span>`;
}

/** How long somebody has to wait: "in 4 minutes", "in 30 seconds". Rounded up, so that it is true. */
export function inWords(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds));
  if (count < 90) return `in ${plural(count, 'second')}`;
  if (count < 90 * 60) return `in ${plural(Math.ceil(count / 60), 'minute')}`;
  return `in ${plural(Math.ceil(count / 3600), 'hour')}`;
}

/** How long something has lasted: "less than a minute", "4 minutes", "3 hours", "2 days". */
export function sinceWords(from: Date, now: Date): string {
  const ms = now.getTime() - from.getTime();
  if (ms < MINUTE_MS) return 'less than a minute';
  if (ms < HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute');
  return ms < 2 * DAY_MS ? plural(Math.floor(ms / HOUR_MS), 'hour') : plural(Math.floor(ms / DAY_MS), 'day');
}
