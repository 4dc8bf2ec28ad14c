import { inspect } from 'node:util';
import { Logger, type LoggerService } from '@nestjs/common';
import { PROGRAM } from '../config/index.js';
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

/** Ids and values of one line, each a field of its JSON. Amounts are text: they may exceed 2^53. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined | readonly object[]>>;

/**
 * The log of one component: each line has an event of the catalogue, the ids that it is about, and a text that says what happened and with
 * what consequence. What to do is the event's action, which the line carries as a field of its own.
 */
export class Log {
  /** @param logger default: Nest's, which passes everything to the application's logger */
  constructor(
    private readonly context: string,
    private readonly logger: LoggerService = new Logger(),
  ) {}

  debug(event: LogEventAt<'debug'>, fields: LogFields, text: string): void {
    this.logger.debug?.(lineOf(event, fields, text), this.context);
  }

  info(event: LogEventAt<'info'>, fields: LogFields, text: string): void {
    this.logger.log(lineOf(event, fields, text), this.context);
  }

  warn(event: LogEventAt<'warn'>, fields: LogFields, text: string): void {
    this.logger.warn(lineOf(event, fields, text), this.context);
  }

  /** @param cause an unexpected error, logged with its stack */
  error(event: LogEventAt<'error'>, fields: LogFields, text: string, cause?: unknown): void {
    this.logger.error(lineOf(event, fields, text, cause), this.context);
  }
}

const lineOf = (event: LogEvent, fields: LogFields, text: string, cause?: unknown): object => {
  const action = LOG_EVENTS[event].action
    .replaceAll('`sluice ', `\`${PROGRAM} `)
    .replaceAll('<id>', typeof fields['paymentId'] === 'string' ? fields['paymentId'] : '<id>')
    .replaceAll('`', '"');
  const err = cause === undefined || cause instanceof Error ? cause : new Error(inspect(cause));
  return { ...fields, event, message: text, ...(action && { action }), ...(err && { err }) };
};

/** Keeps an event that repeats from filling the log: one line an interval. */
export class LogInterval {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly ms: number) {}

  /**
   * Whether the event may be logged now; if so, the interval begins again.
   * @param key events of one key share a line, such as those of one queue. The caller has few of them, since they are kept
   */
  isOver(key = '', now = performance.now()): boolean {
    if (now - (this.loggedAt.get(key) ?? -Infinity) < this.ms) return false;
    this.loggedAt.set(key, now);
    return true;
  }
}
