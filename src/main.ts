import { createApp, type Sluice } from './bootstrap.js';
import { ConfigError } from './config/index.js';
import { announce } from './demo/index.js';

/** A second signal, or a request that does not end, must not keep the process for ever. */
const LONGEST_GOODBYE_MS = 40_000;

async function main(): Promise<void> {
  const sluice = await createApp();
  const url = await sluice.listen();
  await announce(sluice.app, url, (line) => process.stdout.write(`${line}\n`));
  endOn(sluice, 'SIGTERM', 'SIGINT');
}

function endOn(sluice: Sluice, ...signals: NodeJS.Signals[]): void {
  let leaving = false;
  const leave = (): void => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), LONGEST_GOODBYE_MS).unref();
    sluice.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, leave);
}

main().catch((error: unknown) => {
  // A sentence for whoever starts it; the stack only where nobody foresaw this.
  const foreseen = error instanceof ConfigError || (error as Error).name === 'EmbeddedPostgresError';
  process.stderr.write(`${foreseen ? (error as Error).message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
