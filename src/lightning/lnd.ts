import type { Config, Network } from '../config/index.js';
import type { LndFinding } from './lnd/index.js';
import type { LightningBackend } from './lightning-backend.js';

// LND's adapter is loaded only where it is used: gRPC and the descriptions of LND's messages take 30 MB.

/** Connects the node of the configuration. @throws Error if it is on another network */
export const openLnd = async (config: Config): Promise<LightningBackend> => (await import('./lnd/index.js')).LndBackend.open(config);

/** Asks the node of the configuration for everything that Sluice needs of it. */
export const checkLnd = async (lnd: NonNullable<Config['lnd']>, network: Network): Promise<readonly LndFinding[]> =>
  (await import('./lnd/index.js')).checkLnd(lnd, network);
