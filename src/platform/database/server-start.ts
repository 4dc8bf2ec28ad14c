import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../logging/index.js';
import { isNotServing, isStarting } from './pg-errors.js';
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
  const what = isNotServing(error)
    ? 'PostgreSQL starts up, recovers or shuts down'
    : 'Nothing accepts connections at the address of PostgreSQL';
  // A name with several addresses has an error for each.
  const { message } = error instanceof AggregateError ? ((error.errors[0] as Error | undefined) ?? error) : error;
  return `${what} (${message})`;
}

/**
 * Waits for a server that restarts, `waitMs` at most. An error that no waiting mends, such as a wrong password, an unknown database or an
 * unknown host, is thrown at once.
 * @throws ServerStartError when the time is over, AbortError when `signal` ends the wait
 */
export async function awaitServer(connection: pg.ClientConfig, { waitMs, signal }: StartWait, log: Log): Promise<void> {
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
