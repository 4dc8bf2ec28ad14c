// The port of on-chain wallets: the requests and answers, then the calls. Hashes, ids of transactions and raw transactions are lower-case hex,
// PSBTs are base64. Amounts are in sats, fee rates in whole sats a vbyte.

/** An output of a transaction. */
export interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

/** `height` and `hash` of the latest block that the wallet has read. */
export type ChainTip =
  | { readonly status: 'known'; readonly height: number; readonly hash: string }
  /** The wallet cannot be asked, or has not read the chain up to its tip. */
  | { readonly status: 'unknown' };

export type NewAddress = { readonly status: 'created'; readonly address: string } | { readonly status: 'unknown' };

/** A transaction that pays the wallet or spends its coins. */
export interface WalletTransaction {
  readonly txid: string;
  /** Of its block; null while it is in the mempool. */
  readonly height: number | null;
  readonly blockHash: string | null;
  /** When the wallet saw it first; of one in a block it may be the block's time. */
  readonly seenAt: Date;
  /** Those to an address, of the wallet and of others; change is one of the wallet. */
  readonly outputs: readonly { readonly vout: number; readonly address: string; readonly sats: bigint; readonly isOurs: boolean }[];
  /** The coins of the wallet that it spends. Empty: it only pays the wallet. */
  readonly spends: readonly Outpoint[];
  /** What `publish` was given. A transaction that it was not called for may have any other label. */
  readonly label: string;
}

/** Ordered by nothing that the caller may use. `next` continues; null: there are no more. */
export type TransactionPage =
  | { readonly status: 'known'; readonly transactions: readonly WalletTransaction[]; readonly next: number | null }
  | { readonly status: 'unknown' };

export type FeeRate = { readonly status: 'known'; readonly satsPerVbyte: number } | { readonly status: 'unknown' };

/** Keeps inputs for one transaction: for as long, the wallet gives them to no other, of whichever program. */
export interface Lease {
  /** 32 bytes in hex, chosen by the caller for this transaction alone. */
  readonly id: string;
  readonly seconds: number;
}

export interface FundRequest {
  /** At least one. */
  readonly outputs: readonly { readonly address: string; readonly sats: bigint }[];
  /** At least 1. */
  readonly satsPerVbyte: number;
  readonly lease: Lease;
}

export type Funded =
  | {
      readonly status: 'funded';
      /** Unsigned, with the inputs' data that a signature needs. */
      readonly psbt: string;
      readonly inputs: readonly Outpoint[];
      /** Null: there is no change. */
      readonly changeVout: number | null;
    }
  /** The confirmed coins that are neither leased nor reserved for channels do not suffice. */
  | { readonly status: 'short' }
  /** The wallet refuses the request: dust, an address of another network. Nothing is leased. */
  | { readonly status: 'refused'; readonly reason: string }
  /** Inputs may be leased, until the lease ends or is released. Nothing was sent. */
  | { readonly status: 'unknown' };

export type Finalized =
  | { readonly status: 'final'; readonly rawTransaction: string; readonly txid: string }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'unknown' };

export type Published =
  /** The wallet has it and spreads it: also if it had it before, or if it is in a block. */
  | { readonly status: 'published' }
  /** The mempool of the node does not take it now: its inputs are spent by another one, or its fee is too low. It may take it later. */
  | { readonly status: 'rejected'; readonly reason: string }
  | { readonly status: 'unknown' };

export type TransactionStatus =
  /** Without the capability `conflicts` its sender may have replaced it. */
  | { readonly status: 'mempool' }
  | { readonly status: 'confirmed'; readonly height: number; readonly blockHash: string }
  /** Another transaction that spends one of its inputs is in the block of this height. Capability `conflicts`, or the inputs were named. */
  | { readonly status: 'replaced'; readonly by: string; readonly height: number }
  /** The wallet does not know it, or no longer: it may still be in the mempools of others. */
  | { readonly status: 'not_found' }
  | { readonly status: 'unknown' };

export type WalletBalance =
  | {
      readonly status: 'known';
      /** Outputs in blocks that no transaction spends, leased ones too. */
      readonly confirmedSats: bigint;
      /** The same in the mempool: deposits, and change of the wallet's own transactions. */
      readonly unconfirmedSats: bigint;
      /** The part of `confirmedSats` that is kept for closing channels: not to be spent. */
      readonly reservedSats: bigint;
    }
  | { readonly status: 'unknown' };

/**
 * The version of the port `OnChainBackend`. It rises with each change after which an adapter for the version before would be wrong.
 */
export const ONCHAIN_PORT_VERSION = 1;

/** What a wallet may be able to do. `conflicts`: it sees which transaction of others has replaced a deposit. */
export type OnChainCapability = 'conflicts';

/**
 * One on-chain wallet: the port that every adapter implements, and its own injection token. Sluice has it beside its Lightning node, whose
 * wallet it usually is; an organisation without one has Lightning alone.
 *
 * Every method is total: it resolves to a value and never rejects. The adapter sets a timeout for every call, and an error on the way is
 * `unknown`. Only `publish` sends anything. `onChainBackendContract()` in `testing/` is the executable form of this contract.
 */
export abstract class OnChainBackend {
  /** The version of the port that the adapter was made for: the number itself, not the constant. */
  abstract readonly portVersion: typeof ONCHAIN_PORT_VERSION;
  abstract readonly capabilities: ReadonlySet<OnChainCapability>;

  abstract tip(): Promise<ChainTip>;

  /** An address that the wallet has given to no caller before, and which it always watches. */
  abstract newAddress(): Promise<NewAddress>;

  /**
   * The transactions of the wallet in blocks from `fromHeight` on, and those of its mempool. Re-readable: the same blocks give the same
   * answer. A transaction that a reorganisation has moved is listed where it is now. Without the capability `conflicts`, one that its sender has
   * replaced may be listed as in the mempool forever.
   * @param cursor `next` of the page before, 0 at first
   */
  abstract transactions(fromHeight: number, cursor: number): Promise<TransactionPage>;

  /** What a transaction pays that should be in one of the next `targetBlocks` blocks; at least what the mempool takes. */
  abstract feeRate(targetBlocks: number): Promise<FeeRate>;

  /**
   * Chooses coins and change for the outputs, and leases the coins. The order of the outputs is the wallet's. It signs and sends nothing.
   * After `unknown` release the lease before the next call with its id, which would lease further coins.
   */
  abstract fund(request: FundRequest): Promise<Funded>;

  /** Signs every input. It sends nothing. A caller may have changed sequences, fee and change of the PSBT that `fund` gave. */
  abstract finalize(psbt: string): Promise<Finalized>;

  /** Sends a transaction: the same bytes as often as wanted. The wallet sends it again by itself until it is in a block. */
  abstract publish(rawTransaction: string, label: string): Promise<Published>;

  /** Leases coins of the wallet from now on, whose lease may have run out. False: one has another lease, or is spent in a block or gone. */
  abstract renewLease(lease: Lease, inputs: readonly Outpoint[]): Promise<boolean | 'unknown'>;

  /** Ends the lease of every coin that has this id. Idempotent. A lease that is not ended runs out. */
  abstract releaseLease(id: string): Promise<'released' | 'unknown'>;

  /** @param inputs the coins of this wallet that it spends: they show which other transaction has spent them, also without `conflicts` */
  abstract lookup(txid: string, inputs?: readonly Outpoint[]): Promise<TransactionStatus>;

  abstract balance(): Promise<WalletBalance>;
}
