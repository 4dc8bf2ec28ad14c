import type { Network } from '../../../platform/config/index.js';

/** Why a string is not a payable invoice. */
export type Bolt11Problem = 'malformed' | 'checksum' | 'network' | 'amount' | 'field' | 'feature' | 'missing' | 'signature';

/** The only error the codec throws. Its message is a sentence for the user who supplied the invoice. */
export class Bolt11Error extends Error {
  override readonly name = 'Bolt11Error';
  constructor(
    readonly problem: Bolt11Problem,
    message: string,
  ) {
    super(message);
  }
}

/** One channel on the way from a public node to the payee. */
export interface RouteHop {
  /** The node at which the channel starts: 33 bytes in hex. */
  readonly nodeId: string;
  /** Block, transaction and output as in `589390x3312x1`. */
  readonly shortChannelId: string;
  readonly feeBaseMsat: number;
  readonly feePpm: number;
  readonly cltvExpiryDelta: number;
}

/** An on-chain address to fall back on: witness version 0 to 16, or 17 for a public key hash, 18 for a script hash. */
export interface FallbackAddress {
  readonly version: number;
  readonly program: string;
}

/** A valid BOLT 11 invoice. Hashes, keys and secrets are lower-case hex. The caller compares the network with its own. */
export interface Bolt11Invoice {
  /** The canonical text of this invoice: lower case, without `lightning:` and spaces. Two invoices are the same if these are. */
  readonly paymentRequest: string;
  readonly network: Network;
  /** Null leaves the amount to the payer. */
  readonly amountMsat: bigint | null;
  readonly paymentHash: string;
  readonly paymentSecret: string;
  /** Untrusted text: escape it wherever it is shown. Null where `descriptionHash` commits to it instead. */
  readonly description: string | null;
  readonly descriptionHash: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly minFinalCltvExpiryDelta: number;
  readonly features: readonly number[];
  readonly routeHints: readonly (readonly RouteHop[])[];
  readonly fallbacks: readonly FallbackAddress[];
  readonly metadata: string | null;
  /** The node that signed. */
  readonly payeeNodeId: string;
}

/** BOLT 11 writes the networks so (after BIP 173 and SLIP 173). */
export const NETWORK_OF_PREFIX: ReadonlyMap<string, Network> = new Map([
  ['bc', 'mainnet'],
  ['tb', 'testnet'],
  ['tbs', 'signet'],
  ['bcrt', 'regtest'],
]);

/** Tag letters as their bech32 values. */
export const TAG = { p: 1, r: 3, features: 5, x: 6, f: 9, d: 13, s: 16, n: 19, h: 23, c: 24, m: 27 } as const;

export const DEFAULT_EXPIRY_SECONDS = 3_600;
export const DEFAULT_CLTV_EXPIRY_DELTA = 18;
/** The last second of the year 9999, the cap of an expiry: databases and calendars have a maximum, an invoice's expiry need not. */
export const END_OF_TIME_SECONDS = 253_402_300_799;
