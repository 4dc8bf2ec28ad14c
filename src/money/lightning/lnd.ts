import type { Config, Network } from '../../platform/config/index.js';
import type { AskLnd, LndBackend, LndFinding } from './lnd/index.js';
import type { LightningBackend } from './lightning-backend.js';
import type { LightningSettings } from './lightning.settings.js';
import type { LndAccess, LndSettings } from './lnd.settings.js';

export type { AskLnd, LndLease, LndTransaction } from './lnd/index.js';

// LND's adapter is loaded only where it is used: gRPC and the descriptions of LND's messages take 30 MB.

/** Connects the node of the configuration. @throws Error if it is on another network */
export const openLnd = async (settings: LndSettings, { network }: Config, { callMs }: LightningSettings): Promise<LightningBackend> =>
  (await import('./lnd/index.js')).LndBackend.open(settings.access(), network, callMs);

/** The calls of the node by which its on-chain wallet is reached. @param backend what `openLnd` opened */
export const lndCalls = (backend: LightningBackend): AskLnd => (backend as LndBackend).ask;

/** Asks the node of the configuration for everything that Sluice needs of it. @param onChain whether that has its on-chain wallet */
export const checkLnd = async (lnd: LndAccess, network: Network, onChain: boolean): Promise<readonly LndFinding[]> =>
  (await import('./lnd/index.js')).checkLnd(lnd, network, onChain);
