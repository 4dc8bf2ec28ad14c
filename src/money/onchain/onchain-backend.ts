import type {
  ChainTip,
  FeeRate,
  Finalized,
  Funded,
  FundRequest,
  Lease,
  NewAddress,
  Outpoint,
  Published,
  TransactionPage,
  TransactionStatus,
  WalletBalance,
} from './onchain-messages.js';

export * from './onchain-messages.js';

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
