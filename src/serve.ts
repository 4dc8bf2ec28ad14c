import { createApp, type CreateAppOptions, type Sluice } from './bootstrap.js';
import { ConfigError } from './config/index.js';
import { EmbeddedPostgresError, isUnavailable } from './database/index.js';
import { announce } from './demo/index.js';

/** A request that does not end must not keep the process for ever. */
const LONGEST_GOODBYE_MS = 40_000;

/**
 * All that an entry has to do: starts Sluice, says on standard output where it is, and ends the process cleanly when a signal asks for it.
 * A start that fails is told on standard error, and the process ends with 1.
 */
export async function serve(options: CreateAppOptions = {}): Promise<void> {
  const started = start(options);
  // Before anybody can know that we are ready, so that nobody who asks us to leave is answered by the death of the process.
  endOnSignals(started);
  await started.catch(fail);
}

async function start(options: CreateAppOptions): Promise<Sluice> {
  const sluice = await createApp(options);
  const url = await sluice.listen();
  await announce(sluice.app, url, (line) => process.stdout.write(`${line}\n`));
  return sluice;
}

/**
 * SIGTERM comes from a supervisor, who has to take us out of its rotation first; Ctrl-C from somebody who waits for the prompt. A start
 * under way is waited for: it cannot be ended halfway.
 */
function endOnSignals(started: Promise<Sluice>): void {
  let closed: Promise<void> | undefined;
  const end = async (drains: boolean): Promise<void> => {
    const sluice = await started;
    if (drains) await sluice.drain();
    closed ??= sluice.close();
    return closed;
  };
  const onSignal = (drains: boolean) => (): void => {
    setTimeout(() => process.exit(1), LONGEST_GOODBYE_MS).unref();
    end(drains).then(() => process.stdout.write('Stopped.\n', () => process.exit(0)), fail);
  };
  process.on('SIGINT', onSignal(false));
  process.on('SIGTERM', onSignal(true));
}

function fail(error: unknown): void {
  process.stderr.write(`${wordsFor(error)}\n`);
  process.exit(1);
}

/** Why a start failed, of a server or of a command, for whoever started it: a sentence where somebody foresaw it, the stack elsewhere. */
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
