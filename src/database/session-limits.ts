import type pg from 'pg';

/** How long one statement may take, and how long it may wait for one lock. PostgreSQL ends what takes longer, and takes back what it did. */
export interface StatementLimits {
  /** Below the client's own patience: what the client has given up must not live on, keep its locks and commit later. */
  readonly statementMs: number;
  /** A statement that waits for a row that another transaction holds is refused soon, so that it does not hold its own locks for others to wait for. */
  readonly lockMs: number;
}

/** How long PostgreSQL works on for a client that is gone before it looks. */
const CLIENT_CHECK_MS = 2_000;
/** DDL that waits behind one reader makes everybody who comes later wait behind it. So it waits shortly, and is tried again. */
const DDL_LOCK_MS = 2_000;

/** What is said to a connection before its first use. A role may have limits of its own, for its sessions behind a pooler: they are undone where no limit is right. */
export const UNLIMITED = 'SET statement_timeout = 0; SET lock_timeout = 0';
export const MIGRATING = `SET statement_timeout = 0; SET lock_timeout = ${DDL_LOCK_MS}`;
export const CHECKS_CLIENT = `SET client_connection_check_interval = ${CLIENT_CHECK_MS}`;

export const limited = ({ statementMs, lockMs }: StatementLimits): string =>
  `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`;

/**
 * A pool's `onConnect`. The listener stays for as long as the client lives: between two statements of a transaction neither the pool nor a
 * query listens, and an `error` that has no listener ends the process. What is asked of the connection next is refused, and that is how its
 * user learns of it.
 */
export const greeting =
  (settings: readonly string[], patienceMs: number) =>
  async (client: pg.Client): Promise<void> => {
    client.on('error', () => undefined);
    if (settings.length > 0) await client.query({ text: settings.join('; '), query_timeout: patienceMs } as pg.QueryConfig);
  };
