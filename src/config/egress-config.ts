import type { Environment } from './environment.js';

/** Requests to addresses that callers chose. */
export interface EgressConfig {
  /** Networks that they may go to although they are not public, as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
}

/** A demo runs on the machine of its user, who tries webhooks there. */
export function egressOf({ EGRESS_ALLOW, SLUICE_MODE }: Environment): EgressConfig {
  if (EGRESS_ALLOW !== undefined) return { allowedNetworks: EGRESS_ALLOW.split(',') };
  return { allowedNetworks: SLUICE_MODE === 'demo' ? ['127.0.0.0/8', '::1/128'] : [] };
}
