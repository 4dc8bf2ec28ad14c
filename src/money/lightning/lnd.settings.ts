import { readFileSync } from 'node:fs';
import { IsOptional, Matches, MinLength } from 'class-validator';
import { Setting, yesNo, type Environment } from '../../platform/config/index.js';

export interface LndAccess {
  readonly address: string;
  readonly certificate: Buffer | undefined;
  /** Hex. Never log it. */
  readonly macaroon: string;
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

export class LndSettings {
  static readonly title = 'LND';

  @Setting("`host:port` of the LND node's gRPC; required with `LIGHTNING_BACKEND=lnd`")
  @IsOptional()
  @Matches(/^(\[[0-9a-f:]+\]|[^:/\s]+):\d{1,5}$/i, { message: '$property must be host:port' })
  LND_ADDRESS?: string;

  @Setting("path of the node's `tls.cert`, or its base64; without it, the system's authorities decide")
  @IsOptional()
  @MinLength(1)
  LND_TLS_CERT?: string;

  @Setting(
    'path of a macaroon, or its hex; required with `LIGHTNING_BACKEND=lnd`. `sluice lnd check` prints the line that makes one with the least rights',
  )
  @IsOptional()
  @MinLength(1)
  LND_MACAROON?: string;

  @Setting('`1`: invoices name private channels, so that a node without public ones can be paid')
  @yesNo()
  LND_ROUTE_HINTS = false;

  access(): LndAccess {
    const { LND_ADDRESS, LND_TLS_CERT, LND_MACAROON, LND_ROUTE_HINTS } = this;
    if (LND_ADDRESS === undefined || LND_MACAROON === undefined) throw new Error('LND_ADDRESS and LND_MACAROON must be set');
    const certificate = LND_TLS_CERT === undefined ? undefined : certificateOf(LND_TLS_CERT);
    return { address: LND_ADDRESS, certificate, macaroon: macaroonOf(LND_MACAROON), routeHints: LND_ROUTE_HINTS };
  }

  problems({ SLUICE_MODE, LIGHTNING_BACKEND }: Environment): readonly string[] {
    if (SLUICE_MODE === 'demo' || LIGHTNING_BACKEND !== 'lnd') return [];
    const missing = (['LND_ADDRESS', 'LND_MACAROON'] as const).filter((name) => this[name] === undefined);
    if (missing.length > 0) return missing.map((name) => `${name} must be set with LIGHTNING_BACKEND=lnd`);
    try {
      this.access();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }
}
