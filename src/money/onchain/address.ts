import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import type { Network } from '../../platform/config/index.js';
import { orNone } from '../../platform/kernel/or-none.js';

/** The prefixes of addresses: base58 versions, and bech32's human-readable part. Signet has those of testnet. */
export const ADDRESS_NETWORKS = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
} as const satisfies Record<Network, typeof NETWORK>;

/** Bitcoin Core's rule at 3 sat/vB: an output of less costs more to spend than it is worth, and is not relayed. */
const DUST_SATS: Readonly<Record<string, bigint>> = { pkh: 546n, sh: 540n, wpkh: 294n, wsh: 330n, tr: 330n };

export interface ChainAddress {
  /** In its normal form: bech32 in lower case. */
  readonly address: string;
  /** The output script that it stands for. */
  readonly script: Uint8Array;
  /** The smallest amount that the network relays to it. */
  readonly dustSats: bigint;
}

/**
 * Reads an address of this network. Bech32 has one case only (BIP 173). Of witness versions those in use are read, 0 and 1, because anyone
 * could spend an output of another.
 * @returns `other_network` for an address that is none of this network; base58 of testnet and regtest is the same
 */
export function readAddress(text: string, network: Network): ChainAddress | 'invalid' | 'other_network' {
  const read = decoded(text, ADDRESS_NETWORKS[network]);
  if (read) return read;
  return Object.values(ADDRESS_NETWORKS).some((other) => decoded(text, other)) ? 'other_network' : 'invalid';
}

const decoded = (text: string, network: typeof NETWORK): ChainAddress | undefined =>
  orNone(() => {
    const coder = Address(network);
    const address = coder.decode(text);
    const dustSats = DUST_SATS[address.type];
    return dustSats === undefined ? undefined : { address: coder.encode(address), script: OutScript.encode(address), dustSats };
  });
