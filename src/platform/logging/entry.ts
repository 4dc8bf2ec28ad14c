/** One kind of log line. `sluice <command>` in backquotes is an operator's command. */
export interface LogEventEntry<Level extends 'debug' | 'info' | 'warn' | 'error' = 'debug' | 'info' | 'warn' | 'error'> {
  readonly level: Level;
  readonly meaning: string;
  /** Every line of the event carries the action; empty: the operator need do nothing. */
  readonly action: string;
}

const at =
  <Level extends LogEventEntry['level']>(level: Level) =>
  (meaning: string, action = ''): LogEventEntry<Level> => ({ level, meaning, action });

export const debug = at('debug');
export const info = at('info');
export const warn = at('warn');
export const error = at('error');

/** A fault of Sluice, of an extension or of an adapter. */
export const fault = (meaning: string): LogEventEntry<'error'> => error(meaning, 'Report it with the stack trace of the line');
/** A failure that Sluice repeats, and that passes when the database answers. */
export const outage = (meaning: string): LogEventEntry<'warn'> => warn(meaning, 'Check the connection to the database if this repeats');
