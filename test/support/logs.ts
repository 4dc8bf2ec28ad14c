interface LogLine {
  readonly level: number;
  readonly event?: string;
}

/** What a busy machine causes, and no request. */
const OF_SLOWNESS: ReadonlySet<string> = new Set(['events_late', 'events_consumer_late', 'events_handler_slow']);

/** The lines of errors, or from another level on. */
export const faultsIn = (lines: readonly string[], level = 50): LogLine[] =>
  lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.level >= level && !OF_SLOWNESS.has(line.event ?? ''));
