import type { AskLnd, LndTransaction } from '../lightning/index.js';
import type * as port from './onchain-backend.js';

type Call = Parameters<Parameters<AskLnd>[0]>[0];
type Block = Pick<port.WalletTransaction, 'height' | 'blockHash'>;

/** Their raw transactions are in the answer. */
const TRANSACTIONS_PAGE = 200;
/** To LND: the end of the chain, and the mempool after it. */
export const MEMPOOL = -1;
const NO_BLOCK: Block = { height: null, blockHash: null };
/** A reorganisation moves a transaction by no more blocks than this. */
const MAX_MOVED_BLOCKS = 144;
/** Two weeks: Sluice asks with each block, and may have been stopped meanwhile. */
const SPENT_WITHIN_BLOCKS = 2_016;

/**
 * The transactions of LND's wallet. After a reorganisation it may keep the block that a transaction was in (0.21.3 on btcd does), and list the
 * transaction twice: so the chain is asked which block it has at that height.
 */
export class LndHistory {
  /** Of the blocks below the tip by which they were asked. */
  private hashes = { tip: '', ofHeight: new Map<number, Buffer>() };

  async page(call: Call, fromHeight: number, cursor: number): Promise<Extract<port.TransactionPage, { status: 'known' }>> {
    const range = { start_height: fromHeight, end_height: MEMPOOL };
    const page = { index_offset: cursor, max_transactions: TRANSACTIONS_PAGE };
    const listed = await call('lnrpc.Lightning/GetTransactions', { ...range, ...page });
    // An LND that knows no pages gives all transactions, and no index.
    const mayBeMore = listed.transactions.length === TRANSACTIONS_PAGE && listed.last_index !== '0';
    const transactions = await this.read(call, listed.transactions);
    return { status: 'known', transactions, next: mayBeMore ? cursor + TRANSACTIONS_PAGE : null };
  }

  async find(call: Call, txid: string): Promise<port.TransactionStatus> {
    const found = await call('walletrpc.WalletKit/GetTransaction', { txid });
    let [block] = await this.read(call, [found]);
    if (found.block_hash !== '' && block?.height === null) {
      const range = { start_height: Math.max(0, found.block_height - MAX_MOVED_BLOCKS), end_height: MEMPOOL };
      const { transactions } = await call('lnrpc.Lightning/GetTransactions', range);
      const copies = transactions.filter(({ tx_hash: hash }) => hash === txid);
      [block] = await this.read(call, copies);
    }
    const { height = null, blockHash = null } = block ?? NO_BLOCK;
    return height === null || blockHash === null ? { status: 'mempool' } : { status: 'confirmed', height, blockHash };
  }

  /** LND forgets a transaction once another one has spent its coins in a block, and lists that one. */
  async spenderOf(call: Call, coins: readonly port.Outpoint[]): Promise<port.TransactionStatus> {
    const { block_height: tip } = await call('lnrpc.Lightning/GetInfo', {});
    for (let cursor: number | null = 0; cursor !== null;) {
      const page = await this.page(call, Math.max(0, tip - SPENT_WITHIN_BLOCKS), cursor);
      for (const { txid, height, spends } of page.transactions)
        if (height !== null && spends.some((spent) => coins.some((coin) => coin.txid === spent.txid && coin.vout === spent.vout)))
          return { status: 'replaced', by: txid, height };
      cursor = page.next;
    }
    return { status: 'not_found' };
  }

  /** Each once, where the chain has it. */
  private async read(call: Call, listed: readonly LndTransaction[]): Promise<port.WalletTransaction[]> {
    if (listed.some(({ block_hash: hash }) => hash !== '')) {
      const { block_hash: tip } = await call('lnrpc.Lightning/GetInfo', {});
      if (tip !== this.hashes.tip) this.hashes = { tip, ofHeight: new Map() };
    }
    const found = new Map<string, port.WalletTransaction>();
    for (const transaction of listed) {
      if (typeof found.get(transaction.tx_hash)?.height === 'number') continue;
      found.set(transaction.tx_hash, { ...readListed(transaction), ...(await this.blockOf(call, transaction)) });
    }
    return [...found.values()];
  }

  private async blockOf(call: Call, transaction: LndTransaction): Promise<Block> {
    const { block_hash: blockHash, block_height: height, raw_tx_hex: raw } = transaction;
    if (blockHash === '') return NO_BLOCK;
    const { ofHeight } = this.hashes;
    const actual = ofHeight.get(height) ?? (await call('chainrpc.ChainKit/GetBlockHash', { block_height: String(height) })).block_hash;
    ofHeight.set(height, actual);
    // In its bytes a hash is the other way round.
    const actualHash = Buffer.from(actual).reverse().toString('hex');
    if (actualHash === blockHash) return { height, blockHash };
    const { raw_block: block } = await call('chainrpc.ChainKit/GetBlock', { block_hash: actual });
    return block.includes(Buffer.from(raw, 'hex')) ? { height, blockHash: actualHash } : NO_BLOCK;
  }
}

const readListed = (transaction: LndTransaction): port.WalletTransaction => ({
  ...NO_BLOCK,
  txid: transaction.tx_hash,
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
