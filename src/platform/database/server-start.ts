import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../logging/index.js';
import { isCut, isNotServing, isRetriable, isStarting, ROLLED_BACK } from './pg-errors.js';
import { withClients } from './server-check.js';

const PAUSE_MS = 250;

/** A start waits this long for a server that starts up, unless the signal ends the wait. */
export interface StartWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export class ServerStartError extends Error {
  constructor(
    override readonly cause: Error,
    waitedMs: number,
  ) {
    super(`${sentenceOf(cause)} for ${waitedMs / 1000} s`);
  }
}

function sentenceOf(error: Error): string {
  let what = 'Nothing accepts connections at the address of PostgreSQL';
  if (isNotServing(error)) what = 'PostgreSQL starts up, recovers or shuts down';
  else if (isCut(error)) what = 'A connection to PostgreSQL was cut';
  else if (isRetriable(error)) what = ROLLED_BACK;
  // A name with several addresses has an error for each.
  const { message } = error instanceof AggregateError ? ((error.errors[0] as Error | undefined) ?? error) : error;
  return `${what} (${message})`;
}

/**
 * Runs `start` when the server accepts connections, and again from the beginning where the server ends in the middle of it. What waits is
 * never more than `waitMs` away from the first end.
 * @throws the error of `start` that no waiting mends; else as `awaitServer`
 */
export async function startWithServer<T>(connection: pg.ClientConfig, wait: StartWait, log: Log, start: () => Promise<T>): Promise<T> {
  let until = Infinity;
  for (;;) {
    if (wait.waitMs > 0) await awaitServer(connection, wait, log);
    try {
      return await start();
    } catch (error) {
      const cause = ((error as Error).cause ?? error) as Error;
      const isOver = isCut(cause) || isRetriable(cause) || (isStarting(cause) && (await connectionError(connection)) !== undefined);
      if (!isOver || wait.waitMs === 0) throw error;
      until = Math.min(until, performance.now() + wait.waitMs);
      if (performance.now() + PAUSE_MS > until) throw new ServerStartError(cause, wait.waitMs);
      log.warn('database_awaited', { seconds: wait.waitMs / 1000 }, `${sentenceOf(cause)}: the start begins again`);
      await delay(PAUSE_MS, undefined, { signal: wait.signal });
    }
  }
}

/**
 * Waits for a server that restarts, `waitMs` at most. An error that no waiting mends, such as a wrong password, an unknown database or an
 * unknown host, is thrown at once.
 * @throws ServerStartError when the time is over, AbortError when `signal` ends the wait
 */
async function awaitServer(connection: pg.ClientConfig, { waitMs, signal }: StartWait, log: Log): Promise<void> {
  const from = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const error = await connectionError(connection);
    if (!error) return;
    if (!isStarting(error)) throw error;
    if (performance.now() - from + PAUSE_MS > waitMs) throw new ServerStartError(error, waitMs);
    if (isFirst)
      log.warn('database_awaited', { seconds: waitMs / 1000 }, `${sentenceOf(error)}: the start waits ${waitMs / 1000} s at most`);
    await delay(PAUSE_MS, undefined, { signal });
  }
}

const connectionError = (connection: pg.ClientConfig): Promise<Error | undefined> =>
  withClients(connection, (open) => open()).then(
    () => undefined,
    (error: Error) => error,
  );
