import { inspect } from 'node:util';
import { Logger, type LoggerService } from '@nestjs/common';
import { PROGRAM } from '../config/index.js';
import { LOG_EVENTS, type LogEvent, type LogEventAt } from './log-event.js';

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
