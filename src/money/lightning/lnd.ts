import type { Config, Network } from '../../platform/config/index.js';
import type { LndFinding } from './lnd/index.js';
import type { LightningBackend } from './lightning-backend.js';
import type { LightningSettings } from './lightning.settings.js';
import type { LndAccess, LndSettings } from './lnd.settings.js';

// LND's adapter is loaded only where it is used: gRPC and the descriptions of LND's messages take 30 MB.

/** Connects the node of the configuration. @throws Error if it is on another network */
export const openLnd = async (settings: LndSettings, { network }: Config, { callMs }: LightningSettings): Promise<LightningBackend> =>
  (await import('./lnd/index.js')).LndBackend.open(settings.access(), network, callMs);

/** Asks the node of the configuration for everything that Sluice needs of it. */
export const checkLnd = async (lnd: LndAccess, network: Network): Promise<readonly LndFinding[]> =>
  (await import('./lnd/index.js')).checkLnd(lnd, network);
