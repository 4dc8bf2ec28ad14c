import { freePort } from '../../support/app.js';

/** How to reach a node. */
interface Reachable {
  readonly address: string;
  readonly certificate: Buffer;
  readonly macaroon: string;
}

/** The environment of a production server on an LND node of a regtest network. */
export async function lndEnvironment({ address, certificate, macaroon }: Reachable): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    SLUICE_MODE: 'production',
    SLUICE_EMBEDDED_POSTGRES: '1',
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    NETWORK: 'regtest',
    LIGHTNING_BACKEND: 'lnd',
    LND_ADDRESS: address,
    LND_TLS_CERT: certificate.toString('base64'),
    LND_MACAROON: macaroon,
  };
}
