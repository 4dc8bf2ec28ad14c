import type { Network } from '../../../platform/config/index.js';
import { MAX_AMOUNT_MSAT, MSAT_PER_BTC } from '../../../platform/kernel/money.js';

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
  /** The canonical text of this invoice: lower case, without what stood around it. Two invoices are the same if these are. */
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

export const TAG = { p: 1, r: 3, features: 5, x: 6, f: 9, d: 13, s: 16, n: 19, h: 23, c: 24, m: 27 } as const;

export const DEFAULT_EXPIRY_SECONDS = 3_600;
export const DEFAULT_CLTV_EXPIRY_DELTA = 18;
/** The last second of the year 9999, the cap of an expiry: databases and calendars have a maximum, an invoice's expiry need not. */
export const END_OF_TIME_SECONDS = 253_402_300_799;

/** BOLT 11, "Human-Readable Part". `p` is a tenth of a millisatoshi and is handled apart. */
const MSAT_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['', MSAT_PER_BTC],
  ['m', 100_000_000n],
  ['u', 100_000n],
  ['n', 100n],
]);

/** A JavaScript BigInt of thousands of digits takes time to read; no payable amount has more than these. */
const MAX_DIGITS = 20;

/**
 * @param text digits and at most one multiplier letter, as in `2500u`
 * @throws Bolt11Error for zero, for parts of a millisatoshi, and above 21 million bitcoin
 */
export function msatOfAmount(text: string): bigint {
  const [, digits, unit = ''] = /^([1-9][0-9]*)([munp]?)$/.exec(text) ?? [];
  if (digits === undefined || digits.length > MAX_DIGITS)
    throw new Bolt11Error('amount', 'The amount is not a positive number with a known multiplier');
  const value = BigInt(digits);
  const perUnit = MSAT_PER_UNIT.get(unit);
  if (perUnit === undefined && value % 10n !== 0n) throw new Bolt11Error('amount', 'The amount has a fraction of a millisatoshi');
  const msat = perUnit === undefined ? value / 10n : value * perUnit;
  if (msat > MAX_AMOUNT_MSAT) throw new Bolt11Error('amount', 'The amount exceeds 21 million bitcoin');
  return msat;
}

export function amountOfMsat(msat: bigint): string {
  if (msat <= 0n || msat > MAX_AMOUNT_MSAT) throw new Bolt11Error('amount', 'The amount must be positive and at most 21 million bitcoin');
  for (const [unit, perUnit] of MSAT_PER_UNIT) if (msat % perUnit === 0n) return `${msat / perUnit}${unit}`;
  return `${msat * 10n}p`;
}
