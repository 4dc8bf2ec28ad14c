import { MONEY_EVENTS } from './money-events.js';
import { ACCESS_EVENTS } from './access-events.js';
import { SERVER_EVENTS } from './server-events.js';
import type { LogEventEntry } from './entry.js';

/** Every kind of line that Sluice logs, by the stable name that alerts match. `npm run docs` writes the table in docs/reference/log-events.md. */
export const LOG_EVENTS = { ...MONEY_EVENTS, ...ACCESS_EVENTS, ...SERVER_EVENTS } as const satisfies Readonly<
  Record<string, LogEventEntry>
>;

type Entries = typeof LOG_EVENTS;
export type LogEvent = keyof Entries;
/** The events of one level: a call at another level does not compile. */
export type LogEventAt<Level extends LogEventEntry['level']> = {
  [Event in LogEvent]: Entries[Event]['level'] extends Level ? Event : never;
}[LogEvent];
