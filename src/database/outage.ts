import type { Log } from '../logging/index.js';
import { PoolExhaustedError } from './pg-errors.js';

const LOG_EVERY_MS = 60_000;

/** The message for a caller when `isUnavailable(error)`. */
export const outageText = (error: unknown): string =>
  error instanceof PoolExhaustedError
    ? 'The server is busy. Please try again in a moment.'
    : 'The service is temporarily unavailable. Please try again in a moment.';

/** Logs an outage at most once a minute, however many callers meet it. `Database` logs a full pool. */
export class OutageLog {
  private loggedAt = -Infinity;

  constructor(
    private readonly log: Log,
    private readonly event: 'database_unavailable' | 'auth_lookup_unavailable' = 'database_unavailable',
    private readonly what = 'The database does not answer',
  ) {}

  report(error: unknown): void {
    const now = performance.now();
    if (error instanceof PoolExhaustedError || now - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = now;
    this.log.warn(this.event, {}, `${this.what}: ${(error as Error).message}`);
  }
}
