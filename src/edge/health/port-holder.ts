import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../platform/config/index.js';
import { ALL_ADDRESSES } from '../../platform/kernel/loopback.js';

/** The `Server` header of `/health/*`, by which one Sluice recognises another. */
export const SERVER = 'Sluice';

/** The longest shutdown: the drain and the last requests. */
const LEAVING_MS = 60_000;
const ASK_MS = 1_000;
const BETWEEN_LOOKS_MS = 100;

type PortHolder = 'sluice' | 'leaving' | 'other';

async function holderOf(url: string): Promise<PortHolder> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ASK_MS) });
    if (answer.headers.get('server') !== SERVER) return 'other';
    const { waitingFor = [] } = (await answer.json()) as { waitingFor?: readonly string[] };
    return waitingFor.includes('leaving') ? 'leaving' : 'sluice';
  } catch {
    return 'other';
  }
}

function addressOf({ host, port }: Config): string {
  const name = ALL_ADDRESSES.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** A server that shuts down will free its port: its successor waits for that, as it waits for the data folder. */
export async function waitForLeaving(config: Config, stop: AbortSignal): Promise<void> {
  if (config.port === 0) return;
  const until = Date.now() + LEAVING_MS;
  while (!stop.aborted && (await holderOf(addressOf(config))) === 'leaving' && Date.now() < until) await delay(BETWEEN_LOOKS_MS);
}

/** @returns an error that gives the URL of the Sluice that holds the port; any other error unchanged */
export async function namingHolder(error: unknown, config: Config): Promise<unknown> {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' || code !== 'EADDRINUSE') return error;
  const url = addressOf(config);
  if ((await holderOf(url)) === 'other') return error;
  const free = config.port < 65_535 ? config.port + 1 : config.port - 1;
  const sentence = `Another Sluice is already running at ${url}. Use it, stop it, or set PORT, for example PORT=${free}.`;
  return Object.assign(new Error(sentence, { cause: error }), { stack: sentence });
}
