import { freePort } from './app.js';

/** The environment of a production server with simulated money. Production seeds no demo, so the server is ready without its people. */
export async function productionEnv(): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    SLUICE_MODE: 'production',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    NETWORK: 'regtest',
    LIGHTNING_BACKEND: 'simulator',
    SLUICE_ALLOW_SIMULATED_MONEY: '1',
    SLUICE_EMBEDDED_POSTGRES: '1',
  };
}
