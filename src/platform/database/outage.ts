import { LogInterval, type Log } from '../logging/index.js';
import { PoolExhaustedError } from './pg-errors.js';

/** The message for a caller when `isUnavailable(error)`. */
export const outageText = (error: unknown): string =>
  error instanceof PoolExhaustedError
    ? 'The server is busy. Please try again in a moment.'
    : 'The service is temporarily unavailable. Please try again in a moment.';

/** Logs an outage at most once a minute, however many callers meet it. `Database` logs a full pool. */
export class OutageLog {
  private readonly interval = new LogInterval(60_000);

  constructor(
    private readonly log: Log,
    private readonly event: 'database_unavailable' | 'auth_lookup_unavailable' = 'database_unavailable',
    private readonly what = 'The database does not answer',
  ) {}

  report(error: unknown): void {
    if (!(error instanceof PoolExhaustedError) && this.interval.isOver())
      this.log.warn(this.event, {}, `${this.what}: ${(error as Error).message}`);
  }
}
