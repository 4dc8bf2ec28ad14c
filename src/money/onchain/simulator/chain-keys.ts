import { createHmac } from 'node:crypto';
import { p2wpkh } from '@scure/btc-signer';
import { pointFromScalar } from 'tiny-secp256k1';
import type { Network } from '../../../platform/config/index.js';
import { ADDRESS_NETWORKS } from '../address.js';

export interface ChainKey {
  readonly privateKey: Uint8Array;
  readonly address: string;
  readonly script: Uint8Array;
}

/** @throws Error if it is no secp256k1 key, which of 2^128 random ones none is */
export function chainKey(privateKey: Uint8Array, network: Network): ChainKey {
  const publicKey = pointFromScalar(privateKey, true);
  const { address, script } = p2wpkh(publicKey ?? new Uint8Array(), ADDRESS_NETWORKS[network]);
  if (address === undefined) throw new Error('A key of the simulated chain has no address');
  return { privateKey, address, script };
}

/** The key of a position in the simulated wallet. The simulated node's key is its seed. */
export const walletKey = (seed: Buffer, position: bigint, network: Network): ChainKey =>
  chainKey(createHmac('sha256', seed).update(`on-chain ${position}`).digest(), network);
