import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

/** How to reach the LND node. */
export interface LndConfig {
  /** `host:port` of its gRPC. */
  readonly address: string;
  /** PEM; undefined: the system's authorities. */
  readonly certificate: Buffer | undefined;
  /** Hex. Never log it. */
  readonly macaroon: string;
  /** Do invoices name the node's private channels? */
  readonly routeHints: boolean;
}

const HEX = /^([0-9a-f]{2})+$/i;
const PEM = '-----BEGIN CERTIFICATE-----';

/** @throws Error with a sentence; it never quotes a value, which may be a secret */
function certificateOf(value: string): Buffer {
  const decoded = Buffer.from(value, 'base64');
  if (decoded.includes(PEM)) return decoded;
  const file = fileOf('LND_TLS_CERT', value);
  if (!file.includes(PEM)) throw new Error('LND_TLS_CERT must be the path of a PEM file, or its base64');
  return file;
}

const macaroonOf = (value: string): string => (HEX.test(value) ? value.toLowerCase() : fileOf('LND_MACAROON', value).toString('hex'));

function fileOf(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${variable} must be a file that this user can read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** @throws Error with a sentence */
export function lndOf(env: Environment): LndConfig | undefined {
  const { LIGHTNING_BACKEND, LND_ADDRESS, LND_TLS_CERT, LND_MACAROON, LND_ROUTE_HINTS } = env;
  if (LIGHTNING_BACKEND !== 'lnd' || LND_ADDRESS === undefined || LND_MACAROON === undefined) return undefined;
  const certificate = LND_TLS_CERT === undefined ? undefined : certificateOf(LND_TLS_CERT);
  return { address: LND_ADDRESS, certificate, macaroon: macaroonOf(LND_MACAROON), routeHints: LND_ROUTE_HINTS };
}

/** Everything that keeps an LND node from being reached. */
export function problemsOfLnd(env: Environment): string[] {
  if (env.LIGHTNING_BACKEND !== 'lnd') return [];
  const missing = (['LND_ADDRESS', 'LND_MACAROON'] as const).filter((name) => env[name] === undefined);
  if (missing.length > 0) return missing.map((name) => `${name} must be set with LIGHTNING_BACKEND=lnd`);
  try {
    lndOf(env);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
