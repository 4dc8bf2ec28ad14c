import { BackupError } from '../platform/backup/index.js';
import { createApp, type CreateAppOptions, type Sluice } from './bootstrap.js';
import { ConfigError } from '../platform/config/index.js';
import { isConnectionRefused, isRolledBack, isUnavailable, ServerStartError } from '../platform/database/index.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/index.js';
import { announce } from './demo/index.js';
import { Readiness, reportUncaught } from '../edge/health/index.js';

/** Shutdown timeout: a request that does not end must not keep the process alive. */
const MAX_SHUTDOWN_MS = 40_000;

/**
 * The whole entry point: starts Sluice, prints its URL to standard output, and ends the process cleanly at a signal. When the start fails,
 * it prints the error to standard error and exits with 1.
 */
export async function serve(options: CreateAppOptions = {}): Promise<void> {
  reportUncaught();
  const stop = new AbortController();
  const started = start(options, stop.signal);
  // Registered before the server can be ready: a signal without a listener would kill the process.
  endOnSignals(started, stop);
  // The signal has ended the wait for PostgreSQL: no part had started.
  await started.catch((error: unknown) => (stop.signal.aborted && isAbort(error) ? stopped() : fail(error)));
}

async function start(options: CreateAppOptions, stop: AbortSignal): Promise<Sluice> {
  const sluice = await createApp({ ...options, signal: stop });
  if (stop.aborted) return sluice;
  // A demo listens before its people exist; an application that is embedded or tested has none.
  const isPrepared = sluice.app.get(Readiness).await('start');
  const url = await sluice.listen();
  await announce(sluice.app, url, (line) => process.stdout.write(`${line}\n`));
  isPrepared();
  return sluice;
}

/**
 * A supervisor sends SIGTERM, and must first take the server out of its rotation; Ctrl-C comes from a user who waits for the prompt. A
 * signal ends the wait for PostgreSQL; else a start in progress runs to its end, because it cannot be interrupted, and then serves no requests.
 */
function endOnSignals(started: Promise<Sluice>, stop: AbortController): void {
  let closed: Promise<void> | undefined;
  const end = async (drains: boolean): Promise<void> => {
    const sluice = await started.catch(() => undefined);
    if (!sluice) return;
    if (drains) await sluice.drain();
    closed ??= sluice.close().then(stopped);
    return closed;
  };
  const onSignal = (drains: boolean) => (): void => {
    stop.abort();
    setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS).unref();
    end(drains).catch(fail);
  };
  process.on('SIGINT', onSignal(false));
  process.on('SIGTERM', onSignal(true));
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
const stopped = (): void => void process.stdout.write('Stopped.\n', () => process.exit(0));

function fail(error: unknown): void {
  process.stderr.write(`${wordsFor(error)}\n`);
  process.exit(1);
}

/** The operator's message for a start that failed, of a server or of a command: a sentence for a known cause, otherwise the stack. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof BackupError) return error.message;
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE') return `Port ${port} is in use by another program. Stop it, or set PORT.`;
  if (syscall === 'listen' && code === 'EACCES') return `Permission denied for port ${port}. Set PORT to a port above 1023.`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL') return `${address} is not an address of this machine. Set HOST to one that is.`;
  if (error instanceof ServerStartError) return `${error.message}. Start PostgreSQL, or check DATABASE_URL.`;
  if (isConnectionRefused(error)) return `PostgreSQL refuses the connection (${error.message}). Check DATABASE_URL.`;
  if (isRolledBack(error)) return `The database has rolled a statement back (${error.message}). Run it again.`;
  if (isUnavailable(error)) return `The database does not answer (${error.message}). Check DATABASE_URL.`;
  return error.stack ?? error.message;
}
