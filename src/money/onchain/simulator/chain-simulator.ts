import { randomBytes } from 'node:crypto';
import { Transaction } from '@scure/btc-signer';
import { queryOne, sql } from '../../../platform/database/index.js';
import { ADDRESS_NETWORKS, readAddress } from '../address.js';
import type { OnChainBackend, Outpoint } from '../onchain-backend.js';
import { readTransaction, REPLACEABLE } from '../transaction.js';
import { chainKey, type ChainKey } from './chain-keys.js';
import { outpointColumns, type ChainStore } from './chain.store.js';
import type { Coin } from './coins.js';

const MINE = sql`SELECT simulated_chain.mine($1)::float8 AS height`;
const REORGANISE = sql`SELECT simulated_chain.reorganise($1)::float8 AS height`;
const DROP = sql`SELECT simulated_chain.drop_transaction($1) AS dropped`;
const SENT_BY_OUTSIDE = sql`SELECT i.previous_txid AS txid, i.previous_vout AS vout, t.fee_sats AS "feeSats"
     FROM simulated_chain.transaction t JOIN simulated_chain.input i USING (txid)
    WHERE t.txid = $1 AND t.state = 'mempool' AND NOT EXISTS (SELECT FROM simulated_chain.output o WHERE o.txid = i.previous_txid)`;
const COINS_AT = sql`SELECT o.txid, o.vout, a.position, o.sats FROM unnest($1::text[], $2::integer[]) AS p(txid, vout)
     JOIN simulated_chain.output o USING (txid, vout) JOIN simulated_chain.address a USING (address)`;
const SET_INTERVAL = sql`UPDATE simulated_chain.chain SET block_seconds = $1`;
const SET_RESERVE = sql`UPDATE simulated_chain.chain SET reserved_sats = $1`;
const LOSE = sql`UPDATE simulated_chain.chain SET lost_answers = $1`;

export const MAX_MINED_BLOCKS = 1_000;
export const MAX_REORGANISED_BLOCKS = 6;

/** What other wallets pay to the miner; a replacement pays as much more. */
const FEE_SATS = 10_000n;

interface Recipient {
  readonly address: string;
  readonly sats: bigint;
}

/** An output that the outside spends, with its key. */
interface SpentOutput extends Outpoint {
  readonly key: ChainKey;
  readonly sats: bigint;
}

/**
 * The outside of the simulated chain: miners, other wallets, and what goes wrong. For the command line, the demo and tests; it exists only if
 * the simulator is the back end. Errors are the database's.
 */
export class ChainSimulator {
  constructor(private readonly store: ChainStore) {}

  /** Mines blocks, of which the first confirms all that is in the mempool. @returns the height of the last */
  async mine(blocks = 1): Promise<number> {
    return (await queryOne<{ height: number }>(this.store.database, MINE, [blocks])).height;
  }

  /** Replaces the latest blocks by a longer chain without their transactions, which are in the mempool again. @returns its height */
  async reorganise(depth: number): Promise<number> {
    return (await queryOne<{ height: number }>(this.store.database, REORGANISE, [depth])).height;
  }

  /** From now on a call to the wallet mines a block if the latest one is older. 0: blocks are mined by `mine` alone. */
  async mineEvery(seconds: number): Promise<void> {
    await this.store.database.query(SET_INTERVAL, [seconds]);
  }

  /** Another wallet pays these addresses in one transaction. @returns its id; null: one is no address of this network, or would get dust */
  async deposit(...recipients: readonly Recipient[]): Promise<string | null> {
    for (const { address, sats } of recipients) {
      const read = readAddress(address, this.store.network);
      if (typeof read === 'string' || sats < read.dustSats) return null;
    }
    return this.send([await this.outsideOutput()], recipients, FEE_SATS);
  }

  /** The sender of a deposit that waits pays itself instead. @returns the id of the replacement; null: no such deposit is in the mempool */
  async replace(txid: string): Promise<string | null> {
    const [sent] = await this.store.database.query<Outpoint & { feeSats: bigint }>(SENT_BY_OUTSIDE, [txid]);
    if (!sent) return null;
    return this.send([{ ...(await this.outsideOutput()), txid: sent.txid, vout: sent.vout }], [], sent.feeSats + FEE_SATS);
  }

  /** The mempools forget a transaction. @returns false if it is in none */
  async drop(txid: string): Promise<boolean> {
    return (await queryOne<{ dropped: number }>(this.store.database, DROP, [txid])).dropped > 0;
  }

  /** Another program with the wallet's keys spends these outputs, all of them to the outside. @returns null if the mempool refuses that */
  async spendCoins(...points: readonly Outpoint[]): Promise<string | null> {
    const coins = await this.store.database.query<Coin>(COINS_AT, outpointColumns(points));
    const spent = await Promise.all(coins.map(async (coin) => ({ ...coin, key: await this.store.key(coin.position) })));
    const sats = coins.reduce((sum, coin) => sum + coin.sats, 0n);
    return this.send(spent, [], sats / 2n, null);
  }

  /** The wallet does what the next call of each of these methods asks, and its answer is lost. Calls named before are so no longer. */
  async loseAnswers(...calls: readonly (keyof OnChainBackend)[]): Promise<void> {
    await this.store.database.query(LOSE, [calls]);
  }

  /** What the wallet keeps back from now on. */
  async reserve(sats: bigint): Promise<void> {
    await this.store.database.query(SET_RESERVE, [sats]);
  }

  private async outsideOutput(): Promise<SpentOutput> {
    const sats = 100_000_000_000_000n;
    return { txid: randomBytes(32).toString('hex'), vout: 0, key: chainKey(randomBytes(32), this.store.network), sats };
  }

  /** Pays the recipients, and what is left to the outside. @param outsideSats null if the chain knows the outputs that are spent */
  private async send(
    spent: readonly SpentOutput[],
    recipients: readonly Recipient[],
    feeSats: bigint,
    outsideSats: bigint | null = spent.reduce((sum, { sats }) => sum + sats, 0n),
  ): Promise<string | null> {
    const network = ADDRESS_NETWORKS[this.store.network];
    const transaction = new Transaction();
    for (const { txid, vout, key, sats } of spent) {
      const witnessUtxo = { script: key.script, amount: sats };
      transaction.addInput({ txid, index: vout, sequence: REPLACEABLE, witnessUtxo });
    }
    for (const { address, sats } of recipients) transaction.addOutputAddress(address, sats, network);
    const paidSats = recipients.reduce((sum, { sats }) => sum + sats, 0n);
    const allSats = spent.reduce((sum, { sats }) => sum + sats, 0n);
    const change = chainKey(randomBytes(32), this.store.network).address;
    transaction.addOutputAddress(change, allSats - paidSats - feeSats, network);
    for (const { key } of spent) transaction.sign(key.privateKey);
    transaction.finalize();
    const raw = Buffer.from(transaction.extract()).toString('hex');
    const refusal = await this.store.broadcast(readTransaction(raw, this.store.network), '', outsideSats);
    return refusal === null ? transaction.id : null;
  }
}
