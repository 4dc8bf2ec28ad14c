import { createApp, type Sluice } from './bootstrap.js';
import { ConfigError } from './config/index.js';
import { EmbeddedPostgresError, isUnavailable } from './database/index.js';
import { announce } from './demo/index.js';

/** A request that does not end must not keep the process for ever. */
const LONGEST_GOODBYE_MS = 40_000;

async function main(): Promise<void> {
  const sluice = await createApp();
  const url = await sluice.listen();
  await announce(sluice.app, url, (line) => process.stdout.write(`${line}\n`));
  endOnSignals(sluice);
}

/** SIGTERM comes from a supervisor, who has to take us out of its rotation first; Ctrl-C from somebody who waits for the prompt. */
function endOnSignals(sluice: Sluice): void {
  let closing = false;
  const close = (): void => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(1), LONGEST_GOODBYE_MS).unref();
    sluice.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', () => void sluice.drain().then(close));
}

/** Why a start failed, for whoever started it: a sentence where somebody foresaw it, the stack elsewhere. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) return error.message;
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop that one, or set PORT to another.`;
  if (syscall === 'listen' && code === 'EACCES') return `Port ${port} is not for this user. Set PORT to one above 1023.`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL') return `${address} is no address of this machine. Set HOST to one that is.`;
  if (isUnavailable(error)) return `The database does not answer (${error.message}). DATABASE_URL says where it should be.`;
  return error.stack ?? error.message;
}

main().catch((error: unknown) => {
  process.stderr.write(`${wordsFor(error)}\n`);
  process.exit(1);
});
