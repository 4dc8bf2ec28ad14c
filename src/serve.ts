import { createApp, type CreateAppOptions, type Sluice } from './bootstrap.js';
import { ConfigError } from './config/index.js';
import { EmbeddedPostgresError, isUnavailable } from './database/index.js';
import { announce } from './demo/index.js';
import { namingHolder, waitForLeaving } from './health/index.js';

/** A request that does not end must not keep the process for ever. */
const LONGEST_GOODBYE_MS = 40_000;

/**
 * All that an entry has to do: starts Sluice, says on standard output where it is, and ends the process cleanly when a signal asks for it.
 * A start that fails is told on standard error, and the process ends with 1.
 */
export async function serve(options: CreateAppOptions = {}): Promise<void> {
  const stop = new AbortController();
  const started = start(options, stop.signal);
  // Set before the server can say that it is ready: a signal without a listener would kill the process.
  endOnSignals(started, stop);
  await started.catch(fail);
}

async function start(options: CreateAppOptions, stop: AbortSignal): Promise<Sluice> {
  const sluice = await createApp(options);
  await waitForLeaving(sluice.config, stop);
  if (stop.aborted) return sluice;
  const url = await sluice.listen().catch(async (error: unknown) => {
    throw await namingHolder(error, sluice.config);
  });
  await announce(sluice.app, url, (line) => process.stdout.write(`${line}\n`));
  return sluice;
}

/**
 * SIGTERM comes from a supervisor, who has to take us out of its rotation first; Ctrl-C from a person who waits for the prompt. What a start
 * has begun is waited for, because it cannot be ended halfway; nothing is served any more.
 */
function endOnSignals(started: Promise<Sluice>, stop: AbortController): void {
  let closed: Promise<void> | undefined;
  const end = async (drains: boolean): Promise<void> => {
    const sluice = await started;
    if (drains) await sluice.drain();
    closed ??= sluice.close().then(() => void process.stdout.write('Stopped.\n', () => process.exit(0)));
    return closed;
  };
  const onSignal = (drains: boolean) => (): void => {
    stop.abort();
    setTimeout(() => process.exit(1), LONGEST_GOODBYE_MS).unref();
    end(drains).catch(fail);
  };
  process.on('SIGINT', onSignal(false));
  process.on('SIGTERM', onSignal(true));
}

function fail(error: unknown): void {
  process.stderr.write(`${wordsFor(error)}\n`);
  process.exit(1);
}

/** Why a start failed, of a server or of a command, for the person who started it: a sentence where the cause is a known one, the stack elsewhere. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) return error.message;
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop that one, or set PORT to another.`;
  if (syscall === 'listen' && code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL') return `${address} is no address of this machine. Set HOST to one that is.`;
  if (isUnavailable(error)) return `The database does not answer (${error.message}). DATABASE_URL says where it should be.`;
  return error.stack ?? error.message;
}
