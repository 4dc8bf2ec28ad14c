import type { AskLnd, LndTransaction } from '../lightning/index.js';
import type { WalletTransaction } from './onchain-messages.js';

export interface Place {
  readonly height: number;
  readonly blockHash: string;
}

/**
 * The chain beneath LND's wallet. After a reorganisation the wallet may keep a transaction in a block that is no longer in the chain, for ever
 * (seen of LND 0.21 on btcd): each block that it names is compared with the chain's own, once a tip.
 */
export class LndBlocks {
  private tip = '';
  private readonly hashes = new Map<number, string>();

  constructor(private readonly ask: AskLnd) {}

  /** @param tip the hash of the latest block @returns null: it is in no block that the wallet knows of; undefined: it is not known */
  async placeOf(transaction: LndTransaction, tip: string): Promise<Place | null | undefined> {
    const { block_height: height, block_hash: blockHash, raw_tx_hex: raw } = transaction;
    const hash = await this.hashAt(height, tip);
    if (hash === undefined || hash === blockHash) return hash === undefined ? undefined : { height, blockHash };
    const block = await this.ask((call) => call('chainrpc.ChainKit/GetBlock', { block_hash: Buffer.from(hash, 'hex').reverse() }));
    if (!block) return undefined;
    return block.raw_block.includes(Buffer.from(raw, 'hex')) ? { height, blockHash: hash } : null;
  }

  private async hashAt(height: number, tip: string): Promise<string | undefined> {
    if (tip !== this.tip) this.hashes.clear();
    this.tip = tip;
    const known = this.hashes.get(height);
    if (known !== undefined) return known;
    const answer = await this.ask((call) => call('chainrpc.ChainKit/GetBlockHash', { block_height: String(height) }));
    const hash = answer && Buffer.from(answer.block_hash).reverse().toString('hex');
    if (hash !== undefined && tip === this.tip) this.hashes.set(height, hash);
    return hash;
  }
}

/** @param place null while it is in the mempool */
export const readListed = (transaction: LndTransaction, place: Place | null): WalletTransaction => ({
  txid: transaction.tx_hash,
  height: place?.height ?? null,
  blockHash: place?.blockHash ?? null,
  seenAt: new Date(Number(transaction.time_stamp) * 1000),
  outputs: transaction.output_details
    .filter(({ address }) => address !== '')
    .map(({ output_index: vout, address, amount, is_our_address: isOurs }) => ({
      vout: Number(vout),
      address,
      sats: BigInt(amount),
      isOurs,
    })),
  spends: transaction.previous_outpoints
    .filter(({ is_our_output: isOurs }) => isOurs)
    .map(({ outpoint }) => ({ txid: outpoint.slice(0, 64), vout: Number(outpoint.slice(65)) })),
  label: transaction.label,
});
