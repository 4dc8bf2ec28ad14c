import type pg from 'pg';

/** Timeouts of one statement and of its wait for one lock. PostgreSQL ends what takes longer, and rolls it back. */
export interface StatementLimits {
  /** Below the client's own timeout: a statement that the client has given up must not run on, keep its locks and commit later. */
  readonly statementMs: number;
  /** A statement that waits for a locked row fails early, so that other statements do not wait long for the locks that it holds itself. */
  readonly lockMs: number;
}

/** PostgreSQL checks at this interval, during a statement, whether its client is still connected. */
const CLIENT_CHECK_MS = 2_000;
/** DDL that waits behind one reader makes every later statement wait behind it. So it waits briefly, and is retried. */
const DDL_LOCK_MS = 2_000;

/** Sent on a connection before its first use. A role may have timeouts of its own, for its sessions behind a pooler: this resets them. */
export const UNLIMITED = 'SET statement_timeout = 0; SET lock_timeout = 0';
export const MIGRATING = `SET statement_timeout = 0; SET lock_timeout = ${DDL_LOCK_MS}`;
export const CHECKS_CLIENT = `SET client_connection_check_interval = ${CLIENT_CHECK_MS}`;

export const limited = ({ statementMs, lockMs }: StatementLimits): string =>
  `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`;

/**
 * A pool's `onConnect`. The `error` listener stays for the life of the client: between two statements of a transaction neither the pool nor
 * a query listens, and an `error` without a listener ends the process. The next statement on that connection fails, which reports the
 * loss to its caller.
 */
export const initializeSession =
  (settings: readonly string[], patienceMs: number) =>
  async (client: pg.Client): Promise<void> => {
    client.on('error', () => undefined);
    if (settings.length > 0) await client.query({ text: settings.join('; '), query_timeout: patienceMs } as pg.QueryConfig);
  };
